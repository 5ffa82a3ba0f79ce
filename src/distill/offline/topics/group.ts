import type { KeptSentence } from '../rating/rated-sentence.ts';
import { roleOfLabel } from '../text/labels.ts';
import { type ClaimKind, type TurnOfClaims, weighKinds } from './claim-kind.ts';
import { likeliest } from './weigh-signs.ts';

/** Claims that belong together: one observation. */
export interface Topic {
  claims: KeptSentence[];
  /** Whether it tells what the edits of the turn were about. */
  isWork: boolean;
}

/** Which share of the words of the shorter of two claims must be in the other for them to be about the same. */
const SAME_TOPIC_SHARE = 0.3;
/** A message of so few paragraphs has one topic. */
const FEW_BLOCKS = 4;

/**
 * One group per topic. Sentences of one paragraph belong together, and so do paragraphs that name the same things. A
 * choice with its reason is a memory of its own, and so is each thing that the person said.
 */
export function groupByTopic(claims: KeptSentence[], turn: TurnOfClaims): Topic[] {
  const kinds = new Map(claims.map((claim) => [claim, weighKinds(claim, turn)]));
  const standsAlone = (claim: KeptSentence) => isSpoken(claim) || kindOf(kinds.get(claim)) === 'decision';
  const apart = claims.filter(standsAlone);
  const rest = claims.filter((claim) => !standsAlone(claim));
  const isWork = workTest(rest, kinds, turn);
  const parent = rest.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    return root;
  };
  for (const [one, a] of rest.entries())
    for (const [other, b] of rest.entries())
      if (other > one && isWork(a) === isWork(b) && (isWork(a) || areRelated(a, b, rest)))
        parent[rootOf(other)] = rootOf(one);

  const groups = new Map<number, Topic>();
  for (const [index, claim] of rest.entries()) {
    const root = rootOf(index);
    const group = groups.get(root) ?? { claims: [], isWork: false };
    group.claims.push(claim);
    group.isWork ||= isWork(claim);
    groups.set(root, group);
  }
  return [...joinContinued(apart), ...groups.values()];
}

function isSpoken({ from }: KeptSentence): boolean {
  return from === 'person' || from === 'answer';
}

function kindOf(sums: Map<ClaimKind, number> | undefined): ClaimKind {
  return likeliest(sums ?? new Map(), 'discovery');
}

/** A sentence that had to take the one before it along says that one too; a choice goes on in its paragraph. */
function joinContinued(claims: KeptSentence[]): Topic[] {
  const groups: Topic[] = [];
  for (const claim of claims) {
    const last = groups.at(-1)?.claims.at(-1);
    const continues =
      last !== undefined &&
      last.message === claim.message &&
      (claim.statement.startsWith(last.text) ||
        (claim.from === 'person'
          ? (isAdvice(last) || givesReason(claim)) && claim.block === last.block + 1
          : claim.block === last.block));
    if (continues) groups.at(-1)?.claims.push(claim);
    else groups.push({ claims: [claim], isWork: false });
  }
  return groups;
}

/** “No, never edit that by hand.” What follows says what to do instead. */
function isAdvice({ features }: KeptSentence): boolean {
  return features.correction !== undefined || features.personRule !== undefined;
}

/** “Take the scheduler out. We run two nodes, so it fires twice.” */
function givesReason({ kinds, markers }: KeptSentence): boolean {
  return kinds !== undefined && kinds.fact > kinds.rule && markers.has('cause');
}

/** How much more must speak against a claim being about the work, where its place says that it is. */
const MARGIN = 1;

/** What was done and why it had to be; what follows from it, or has to be known with it, is apart. */
function workTest(
  claims: KeptSentence[],
  kinds: Map<KeptSentence, Map<ClaimKind, number>>,
  { hasWork, work, editedNames, isCut, firstEdit }: TurnOfClaims,
): (claim: KeptSentence) => boolean {
  if (!hasWork) return () => false;
  const lastOfCure = findLastOfCure(claims);
  const hand = ({ from, role, statement, isFirst, inList, block, under, place }: KeptSentence) => {
    if (from === 'commit') return true;
    const namesEdit = editedNames.some((name) => statement.includes(name));
    if (isCut && from === 'between' && place >= firstEdit && (role === 'deed' || namesEdit)) return true;
    if (from !== 'closing' || role === 'open' || role === 'trap') return role === 'cause' && namesEdit;
    if (role === 'deed' || isFirst || namesEdit) return true;
    const label = roleOfLabel(under);
    if (label === 'cure' || (work === 'bugfix' && label === 'cause')) return true;
    return work === 'bugfix' && !inList && block <= lastOfCure;
  };
  return (claim) => {
    const sums = kinds.get(claim) ?? new Map<ClaimKind, number>();
    const best = Math.max(...sums.values());
    return hand(claim) && (sums.get('work') ?? 0) >= best - MARGIN;
  };
}

/** A bugfix is told from the symptom to the cure: up to here it is one story. */
function findLastOfCure(claims: KeptSentence[]): number {
  const told = claims.filter(({ from, role }) => from === 'closing' && (role === 'deed' || role === 'cause'));
  return Math.max(-1, ...told.map(({ block }) => block));
}

function blocksOf(claims: KeptSentence[], { message }: { message: number } = { message: -1 }): number {
  return new Set(claims.filter((claim) => claim.message === message).map(({ block }) => block)).size;
}

function isSamePlace(a: KeptSentence, b: KeptSentence): boolean {
  return a.message === b.message && a.block === b.block;
}

function areRelated(a: KeptSentence, b: KeptSentence, all: KeptSentence[]): boolean {
  if (isSamePlace(a, b)) return true;
  const words = sharedShare(a, b);
  if (sharesName(a, b) && words >= SAME_TOPIC_SHARE / 2) return true;
  if (words >= SAME_TOPIC_SHARE) return true;
  const areNeighbours =
    a.message === b.message && Math.abs(a.block - b.block) === 1 && !a.inList && !b.inList;
  return areNeighbours && a.from === 'closing' && blocksOf(all, a) <= FEW_BLOCKS;
}

function sharesName(a: KeptSentence, b: KeptSentence): boolean {
  const names = new Set(a.names.map((name) => name.toLowerCase()));
  return b.names.some((name) => name.length > 3 && names.has(name.toLowerCase()));
}

function sharedShare(a: KeptSentence, b: KeptSentence): number {
  const [one, other] = [a.words, b.words];
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared / Math.max(5, Math.min(one.size, other.size));
}
