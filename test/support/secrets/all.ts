import { codeShapes } from './code.ts';
import { commandShapes } from './commands.ts';
import { hiddenShapes } from './hidden.ts';
import { namedShapes } from './names.ts';
import { placeShapes } from './places.ts';
import { sentenceShapes } from './sentences.ts';
import type { DrawnShape } from './shape.ts';
import { tokenShapes } from './tokens.ts';

/** Every shape that can be drawn, by family. */
export const shapeFamilies: Record<string, DrawnShape[]> = {
  tokens: tokenShapes,
  names: namedShapes,
  places: placeShapes,
  commands: commandShapes,
  sentences: sentenceShapes,
  code: codeShapes,
  hidden: hiddenShapes,
};
