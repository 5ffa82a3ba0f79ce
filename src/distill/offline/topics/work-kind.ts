import type { ObservationType } from '../../../model/memory.ts';
import { fault, moving } from '../../phrases/work-kinds.ts';
import { isInterim } from '../calls/commits.ts';
import type { FileEdit } from '../calls/edits.ts';
import { kindOfFile } from '../calls/paths.ts';
import type { Evidence } from '../evidence.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import type { Request } from '../request.ts';
import { findNames } from '../text/names.ts';
import { likeliest, type SignTable, weighSigns } from './weigh-signs.ts';

/** Of two that are as likely, the first. */
const WORK_TYPES = ['change', 'bugfix', 'feature', 'refactor'] as const satisfies ObservationType[];
export type WorkType = (typeof WORK_TYPES)[number];

/** Conventional commits say what they are. */
const PREFIXES: Record<string, WorkType> = {
  fix: 'bugfix',
  bugfix: 'bugfix',
  hotfix: 'bugfix',
  perf: 'bugfix',
  feat: 'feature',
  feature: 'feature',
  refactor: 'refactor',
  chore: 'change',
  build: 'change',
  ci: 'change',
  docs: 'change',
  style: 'change',
  test: 'change',
  revert: 'change',
  deps: 'change',
};

/** Fewer lines than these mend or adjust something; more, with little taken out for them, build something. */
const FEW_LINES = 10;
const MUCH_MORE = 4;

/** What speaks for which kind of work, and how much; the kind with the largest sum wins. */
const SIGNS = {
  /** Something was done: without any other sign it is a change. */
  always: { change: 1 },
  askedToFix: { bugfix: 1.2 },
  toldToFix: { bugfix: 1 },
  askedToAdd: { feature: 0.6 },
  toldToAdd: { feature: 1.2 },
  askedToRefactor: { refactor: 0.8 },
  toldToRefactor: { refactor: 1.2 },
  askedToLook: { bugfix: 0.6 },
  /** The person calls something by its name that only the edits brought. */
  namesWhatIsNew: { feature: 1.1 },
  wasRed: { bugfix: 1.5 },
  /** A new test was red until the code was changed. */
  newTestWasRed: { bugfix: 0.6 },
  saysWhatWasWrong: { bugfix: 0.8 },
  saysWhatMoved: { refactor: 1 },
  foundTheCause: { bugfix: 0.5 },
  createdSource: { feature: 0.8, bugfix: -0.5 },
  addedMuch: { feature: 1.1, bugfix: -0.5 },
  smallDiff: { bugfix: 0.5, feature: -0.4, refactor: -0.8 },
  noCode: { change: 1, feature: -1, refactor: -1 },
  onlyDocs: { bugfix: -2 },
  newVersions: { change: 1 },
} satisfies SignTable<string, WorkType>;

type Sign = keyof typeof SIGNS;

/** What kind of work the edits of a turn were: the commit says it, else what was asked, what the calls show and the words. */
export function classifyWork(request: Request, claims: KeptSentence[], evidence: Evidence): WorkType {
  const prefix = evidence.commits
    .filter((commit) => !isInterim(commit))
    .map(({ subject }) => /^(\w+)(?:\([^)]*\))?!?:\s/.exec(subject)?.[1]?.toLowerCase() ?? '');
  const said = prefix.map((each) => PREFIXES[each]).find((type) => type !== undefined);
  if (said) return said;
  return likeliest(weighSigns(SIGNS, findSigns(request, claims, evidence), WORK_TYPES), 'change');
}

function findSigns(
  { own, intent, isImperative }: Request,
  claims: KeptSentence[],
  { edits, repairs, packages }: Evidence,
): Record<Sign, boolean> {
  const kinds = edits.map(({ path }) => kindOfFile(path));
  const sources = edits.filter(({ path }) => kindOfFile(path) === 'source');
  const added = sources.reduce((sum, { after }) => sum + after.length, 0);
  const taken = sources.reduce((sum, { before }) => sum + before.length, 0);
  const created = sources.some((edit) => edit.created);
  const words = claims.filter(({ from }) => from !== 'person').map(({ statement }) => statement);
  const causes = claims.filter(({ role, from }) => role === 'cause' && from !== 'person');
  const asked = (wanted: Request['intent']) => intent === wanted;
  return {
    always: true,
    askedToFix: asked('fix'),
    toldToFix: asked('fix') && isImperative,
    askedToAdd: asked('add'),
    toldToAdd: asked('add') && isImperative,
    askedToRefactor: asked('refactor'),
    toldToRefactor: asked('refactor') && isImperative,
    askedToLook: asked('investigate'),
    namesWhatIsNew: namesIn(own).some((name) => isNewIn(sources, name)),
    wasRed: repairs.some(({ wasRedBefore }) => wasRedBefore),
    newTestWasRed: repairs.some(
      ({ red, wasRedBefore }) => !wasRedBefore && onlyTestsBefore(edits, red.place),
    ),
    saysWhatWasWrong: causes.length > 0 && words.some((text) => fault.test(text)),
    saysWhatMoved: edits.length > 1 && words.some((text) => moving.test(text)),
    foundTheCause: causes.some(({ from }) => from === 'between'),
    createdSource: created,
    addedMuch: added >= FEW_LINES && added >= taken * MUCH_MORE,
    smallDiff: !created && added < FEW_LINES,
    noCode: !kinds.some((kind) => kind === 'source' || kind === 'test'),
    onlyDocs: kinds.every((kind) => kind === 'docs'),
    newVersions: packages.length > 0,
  };
}

/** An option without its dashes: code mostly writes it so. */
function namesIn(texts: string[]): string[] {
  return findNames(texts.join(' '))
    .map((name) => name.replace(/^-+/, ''))
    .filter((name) => name.length > 3);
}

function isNewIn(edits: FileEdit[], name: string): boolean {
  const isIn = (lines: string[]) => lines.some((line) => line.includes(name));
  return edits.some(({ after }) => isIn(after)) && !edits.some(({ before }) => isIn(before));
}

function onlyTestsBefore(edits: FileEdit[], place: number): boolean {
  const before = edits.filter((edit) => edit.place < place);
  return before.length > 0 && before.every(({ path }) => kindOfFile(path) === 'test');
}
