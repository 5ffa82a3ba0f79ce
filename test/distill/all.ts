import type { DistillSession } from './session.ts';
import { backgroundRun } from './sessions/background-run.ts';
import { clockInjected } from './sessions/clock-injected.ts';
import { compactedHunt } from './sessions/compacted-hunt.ts';
import { corrections } from './sessions/corrections.ts';
import { coverageAdded } from './sessions/coverage-added.ts';
import { deadEnd } from './sessions/dead-end.ts';
import { djangoSlowList } from './sessions/django-slow-list.ts';
import { docsPnpm } from './sessions/docs-pnpm.ts';
import { featureWithDecision } from './sessions/feature-with-decision.ts';
import { germanBugfix } from './sessions/german-bugfix.ts';
import { germanProxy } from './sessions/german-proxy.ts';
import { goRacyCache } from './sessions/go-racy-cache.ts';
import { interrupted } from './sessions/interrupted.ts';
import { japaneseBugfix } from './sessions/japanese-bugfix.ts';
import { japaneseExport } from './sessions/japanese-export.ts';
import { killed } from './sessions/killed.ts';
import { leakNotHere } from './sessions/leak-not-here.ts';
import { moduleGotcha } from './sessions/module-gotcha.ts';
import { moneyRefactor } from './sessions/money-refactor.ts';
import { monorepoSharedMoney } from './sessions/monorepo-shared-money.ts';
import { oddJobs } from './sessions/odd-jobs.ts';
import { optionRenamed } from './sessions/option-renamed.ts';
import { pastedTrace } from './sessions/pasted-trace.ts';
import { personDecides } from './sessions/person-decides.ts';
import { pythonUtc } from './sessions/python-utc.ts';
import { questionAnswered } from './sessions/question-answered.ts';
import { redTestFixed } from './sessions/red-test-fixed.ts';
import { routeAudit } from './sessions/route-audit.ts';
import { rustJsonFlag } from './sessions/rust-json-flag.ts';
import { secretAndPrivate } from './sessions/secret-and-private.ts';
import { shellScript } from './sessions/shell-script.ts';
import { smallTalk } from './sessions/small-talk.ts';
import { sqlNotNull } from './sessions/sql-not-null.ts';
import { stillRed } from './sessions/still-red.ts';
import { subagentReport } from './sessions/subagent-report.ts';
import { terraformRename } from './sessions/terraform-rename.ts';
import { terseAgent } from './sessions/terse-agent.ts';
import { threeThings } from './sessions/three-things.ts';

/** Played with the real client: their commands run on any machine. */
export const distillSessions: DistillSession[] = [
  redTestFixed,
  featureWithDecision,
  questionAnswered,
  corrections,
  docsPnpm,
  moduleGotcha,
  shellScript,
  coverageAdded,
  threeThings,
  terseAgent,
  pastedTrace,
  stillRed,
  deadEnd,
  personDecides,
  optionRenamed,
  subagentReport,
  backgroundRun,
  secretAndPrivate,
  smallTalk,
  germanBugfix,
  japaneseBugfix,
  killed,
  interrupted,
  compactedHunt,
  moneyRefactor,
  leakNotHere,
  pythonUtc,
  routeAudit,
  germanProxy,
  japaneseExport,
  oddJobs,
  clockInjected,
];

/** Told without the client: their commands need programs that few machines have. */
export const toldSessions: DistillSession[] = [
  djangoSlowList,
  goRacyCache,
  rustJsonFlag,
  monorepoSharedMoney,
  terraformRename,
  sqlNotNull,
];
