import { firstPerson } from '../../phrases/wishes.ts';
import type { Turn } from '../../turn.ts';
import type { Evidence } from '../evidence.ts';
import type { KindShares } from '../prompt-kinds/kinds.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import { announcesNote, comparesValues } from '../rating/roles.ts';
import type { Request } from '../request.ts';
import { roleOfLabel } from '../text/labels.ts';
import { hasQuestion } from '../text/punctuation.ts';
import { type SignTable, weighSigns } from './weigh-signs.ts';
import type { WorkType } from './work-kind.ts';

/** What a claim tells: the work of the turn, or something of a type of its own. */
export const CLAIM_KINDS = ['discovery', 'gotcha', 'decision', 'preference', 'how-it-works', 'work'] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** Who said it, what was going on in the turn, and what the sentence itself says. */
export const CLAIM_SIGNS = {
  always: { discovery: 2, gotcha: -0.6, 'how-it-works': -1.4, work: 0.4 },
  person: { discovery: -2.1, gotcha: -0.9, decision: 0.3, preference: 2.6, 'how-it-works': -0.8, work: -0.4 },
  between: { discovery: 0.9, preference: -0.7, 'how-it-works': -0.2, work: 0.3 },
  report: { discovery: 0.6, gotcha: 1, decision: -0.4, preference: -0.2, work: -0.9 },
  commit: { discovery: -0.9, gotcha: -0.7, decision: -0.2, preference: 1, work: 1 },
  besideWork: { discovery: -1.1, gotcha: 1.7, preference: -0.2, 'how-it-works': -0.9, work: 0.5 },
  besideBugfix: { discovery: 0.4, gotcha: -0.6, 'how-it-works': -0.3, work: 0.4 },
  namesEdit: { discovery: -1.2, gotcha: -0.2, decision: 0.4, work: 1.1 },
  saysNewValue: { discovery: -0.9, gotcha: -0.3, decision: 1.1, work: 0.3 },
  opensReport: { discovery: -0.6, gotcha: -1, decision: -0.6, preference: 1.1, work: 1.1 },
  explains: { discovery: -0.2, decision: -0.4, preference: -0.3, 'how-it-works': 1 },
  isOption: { gotcha: 0.7, decision: 0.4, preference: -0.4, 'how-it-works': -0.4, work: -0.2 },
  deed: { discovery: -0.5, decision: -0.4, preference: 0.4, 'how-it-works': -0.3, work: 0.7 },
  trap: { discovery: -0.3, gotcha: 0.8, preference: 0.2, work: -0.5 },
  open: { gotcha: 0.9, decision: 0.3, preference: -0.4, 'how-it-works': -0.2, work: -0.7 },
  choice: { discovery: -1, gotcha: -0.4, decision: 2.2, preference: -0.2, work: -0.5 },
  ownChoice: { gotcha: -0.3, decision: 0.6, work: -0.2 },
  ownRefusal: { decision: 0.5, preference: -0.2, work: -0.2 },
  underCure: { discovery: -0.9, gotcha: -0.2, decision: 1, preference: -0.3, work: 0.5 },
  underCause: { discovery: 0.7, gotcha: 0.2, decision: -0.6, preference: -0.3 },
  underTrap: { discovery: -0.2, gotcha: 0.4, decision: 0.5, work: -0.6 },
  underNote: { discovery: -0.4, gotcha: 1.5, decision: -0.5, preference: -0.2, work: -0.3 },
  cause: { discovery: 0.3, gotcha: 0.8, decision: 0.3, preference: -1, 'how-it-works': -0.4 },
  obligation: { discovery: 0.4, preference: -0.4, 'how-it-works': -0.2, work: 0.2 },
  condition: { gotcha: 0.6, decision: -0.7, preference: -0.8, 'how-it-works': 0.7 },
  negation: { discovery: 1.2, gotcha: 0.2, preference: -0.3, 'how-it-works': -0.5, work: -0.5 },
  but: { discovery: -0.2, gotcha: 0.4, preference: -0.5 },
  refutation: { discovery: 0.5, decision: -0.3, preference: 0.4, work: -0.5 },
  compares: { discovery: 0.2, decision: -0.2 },
  personStanding: { discovery: -0.5, gotcha: -0.2, decision: -0.6, preference: 0.7, work: 0.8 },
  personMust: {
    discovery: -0.2,
    gotcha: -0.2,
    decision: -0.7,
    preference: 1,
    'how-it-works': -0.2,
    work: 0.4,
  },
  personCorrects: { discovery: -0.3, decision: 0.6, preference: -0.2 },
  personTells: { decision: 0.8, preference: -0.7, work: 0.3 },
  personContrasts: { decision: 0.3, preference: -0.6, work: 0.5 },
  personAnswers: { gotcha: -0.2, preference: 0.3, 'how-it-works': -0.2 },
  afterEdit: { discovery: -0.4, gotcha: 1.5, preference: -0.3, work: -0.6 },
  afterRed: { discovery: -0.7, gotcha: 1 },
  opensWithName: { gotcha: -0.4, preference: -0.6, work: 1.2 },
} satisfies SignTable<string, ClaimKind>;

export type ClaimSign = keyof typeof CLAIM_SIGNS;

/** What a turn tells about the kind of its claims. */
export interface TurnOfClaims {
  work: WorkType;
  hasWork: boolean;
  isExplanation: boolean;
  /** The closing words leave a choice to the person. */
  offersChoice: boolean;
  /** Names of what the edits changed: files, functions, packages. */
  editedNames: string[];
  /** Numbers that only the edits brought. */
  newNumbers: Set<string>;
  /** How many calls came before the first edit that stayed. */
  firstEdit: number;
  /** The turn was stopped before the agent's closing words: what it said last stands for them. */
  isCut: boolean;
}

const LAST_WORDS = 200;
/** A name may have an article, a quote or a bracket before it. */
const ARTICLE = 4;

export function readTurnOfClaims(
  { closingWords }: Pick<Turn, 'closingWords'>,
  { intent }: Request,
  { edits, commits, packages }: Evidence,
  work: WorkType,
): TurnOfClaims {
  const hasWork = edits.length > 0 || commits.length > 0;
  const names = [
    ...edits.flatMap(({ path, symbols }) => [path.slice(path.lastIndexOf('/') + 1), ...symbols]),
    ...packages.map(({ name }) => name),
  ];
  const before = new Set(edits.flatMap((edit) => edit.before.flatMap(numbersIn)));
  const after = edits.flatMap((edit) => edit.after.flatMap(numbersIn));
  return {
    work,
    hasWork,
    isExplanation: !hasWork && intent === 'explain',
    offersChoice: hasQuestion(closingWords.slice(-LAST_WORDS)),
    editedNames: [...new Set(names)].filter((name) => name.length > 3),
    newNumbers: new Set(after.filter((number) => !before.has(number))),
    firstEdit: Math.min(Number.POSITIVE_INFINITY, ...edits.map(({ place }) => place)),
    isCut: closingWords === '',
  };
}

/** Two digits at least: a single one is in many lines. */
function numbersIn(text: string): string[] {
  return text.match(/\d[\d.,]*\d/g) ?? [];
}

/** How much speaks for each kind; a turn that changed nothing has no work to tell. */
export function weighKinds(claim: KeptSentence, turn: TurnOfClaims): Map<ClaimKind, number> {
  const sums = weighSigns(CLAIM_SIGNS, readSigns(claim, turn), CLAIM_KINDS);
  if (!turn.hasWork) sums.set('work', -Infinity);
  return claim.kinds ? weighTyped(sums, claim.kinds) : sums;
}

const FACTS = ['discovery', 'gotcha', 'how-it-works'] as const;

/** What a person typed is of the kind that its words speak for; which kind of fact it is, the signs tell. */
function weighTyped(
  sums: Map<ClaimKind, number>,
  { rule, fact, decision }: KindShares,
): Map<ClaimKind, number> {
  const best = Math.max(...FACTS.map((kind) => sums.get(kind) ?? 0));
  const facts = FACTS.map((kind): [ClaimKind, number] => [
    kind,
    (sums.get(kind) ?? 0) - best + Math.log(fact),
  ]);
  return new Map<ClaimKind, number>([
    ...facts,
    ['decision', Math.log(decision)],
    ['preference', Math.log(rule)],
    ['work', -Infinity],
  ]);
}

export function readSigns(claim: KeptSentence, turn: TurnOfClaims): Record<ClaimSign, boolean> {
  const { from, role, markers, features, text, statement, isFirst, inList, under, names, place } = claim;
  const isPerson = from === 'person';
  const isAgent = !isPerson && from !== 'answer';
  const isClosing = from === 'closing';
  const label = isAgent ? roleOfLabel(under) : undefined;
  const says = (marker: Parameters<typeof markers.has>[0]) => isAgent && markers.has(marker);
  const isOwn = isAgent && firstPerson.test(text);
  const { hasWork } = turn;
  return {
    always: true,
    person: isPerson,
    between: from === 'between',
    report: from === 'report',
    commit: from === 'commit',
    besideWork: isAgent && hasWork,
    besideBugfix: isAgent && hasWork && turn.work === 'bugfix',
    namesEdit: isAgent && turn.editedNames.some((name) => statement.includes(name)),
    saysNewValue: isAgent && numbersIn(statement).some((number) => turn.newNumbers.has(number)),
    opensReport: isClosing && isFirst && hasWork,
    explains: isAgent && turn.isExplanation,
    isOption: isClosing && inList && turn.offersChoice,
    deed: isAgent && role === 'deed',
    trap: isAgent && role === 'trap',
    open: isAgent && role === 'open',
    choice: isAgent && role === 'decision',
    ownChoice: isOwn && (markers.has('contrast') || markers.has('choice')),
    ownRefusal: isOwn && markers.has('negation'),
    underCure: label === 'cure',
    underCause: label === 'cause',
    underTrap: label === 'gotcha',
    underNote: label === 'note' || (isAgent && announcesNote(text)),
    cause: says('cause'),
    obligation: says('obligation'),
    condition: says('condition'),
    negation: says('negation'),
    but: says('but'),
    refutation: says('refutation'),
    compares: isAgent && comparesValues(text),
    personStanding: isPerson && markers.has('standing'),
    personMust: isPerson && markers.has('obligation'),
    personCorrects: features.correction !== undefined,
    personTells: features.personTells !== undefined,
    personContrasts: isPerson && markers.has('contrast'),
    personAnswers: features.answersAgent !== undefined,
    afterEdit: from === 'between' && place > turn.firstEdit,
    afterRed: features.afterFailure !== undefined,
    opensWithName: isAgent && names.some((name) => text.slice(0, name.length + ARTICLE).includes(name)),
  };
}
