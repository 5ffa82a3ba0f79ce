import { bugfix } from './bugfix.ts';
import { change } from './change.ts';
import { decision } from './decision.ts';
import { discovery } from './discovery.ts';
import { feature } from './feature.ts';
import { gotcha } from './gotcha.ts';
import { howItWorks } from './how-it-works.ts';
import type { Observer } from './observer.ts';
import { preference } from './preference.ts';
import { refactor } from './refactor.ts';

/** What weighs most comes first. A new type of observation is a file of its own and a line here. */
export const observers: Observer[] = [
  preference,
  bugfix,
  feature,
  refactor,
  change,
  decision,
  gotcha,
  discovery,
  howItWorks,
];
