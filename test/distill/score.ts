import { noiseEverywhere } from './noise.ts';
import type {
  Expectation,
  Point,
  StoredObservation,
  StoredSummary,
  WantedSummary,
  Words,
} from './session.ts';
import { absent, contains } from './words.ts';

export interface Stored {
  observations: StoredObservation[];
  summaries: StoredSummary[];
}

/** How many of so many. */
export interface Share {
  met: number;
  of: number;
}

export interface SessionScore {
  essentials: Share;
  niceToHave: Share;
  /** Of the essentials that were kept: those in an observation of the right type. */
  types: Share;
  summaryFields: Share;
  /** Facts that only repeat what the calls show. */
  receipts: Share;
  /** What should have been kept and was not. */
  missing: string[];
  /** Observations and summaries that make no point that was wanted. */
  unwanted: Share;
  unwantedTitles: string[];
  /** Text that belongs in no memory, because it says nothing or is false. */
  noise: string[];
  untrue: string[];
}

const SUMMARY_FIELDS = ['request', 'investigated', 'learned', 'completed', 'nextSteps', 'notes'] as const;
const receipt = / was changed\.$| is new\.$| became `|^Failed before: |^Committed| is a new dependency\.$/;

/** Compares what was stored of a session with what a careful engineer would have written down. */
export function scoreSession(expectation: Expectation, stored: Stored): SessionScore {
  const { nothing, noise, untrue = [] } = expectation;
  const essentials = nothing ? [] : expectation.essentials;
  const niceToHave = nothing ? [] : (expectation.niceToHave ?? []);
  const summaries = nothing ? [] : expectation.summaries;
  const kept = essentials.filter((point) => isMade(point, stored));
  const fields = summaries.flatMap((wanted) => checkSummary(wanted, stored.summaries));
  const facts = stored.observations.flatMap((observation) => observation.facts);
  const unwanted = [
    ...stored.observations
      .filter((each) => ![...essentials, ...niceToHave].some((point) => makes(each, point)))
      .map(({ type, title }) => `${type}: ${title}`),
    ...stored.summaries
      .filter(({ prompt }) => !summaries.some((wanted) => wanted.prompt === prompt))
      .map(({ prompt, request }) => `summary of prompt ${prompt}: ${request}`),
  ];
  return {
    essentials: { met: kept.length, of: essentials.length },
    niceToHave: { met: niceToHave.filter((point) => isMade(point, stored)).length, of: niceToHave.length },
    types: { met: kept.filter((point) => isTyped(point, stored)).length, of: kept.length },
    summaryFields: { met: fields.filter(({ isMet }) => isMet).length, of: fields.length },
    receipts: { met: facts.filter((fact) => receipt.test(fact)).length, of: facts.length },
    missing: [
      ...essentials.filter((point) => !kept.includes(point)).map((point) => describe(point, stored)),
      ...fields.filter(({ isMet }) => !isMet).map(({ what }) => what),
    ],
    unwanted: { met: unwanted.length, of: stored.observations.length + stored.summaries.length },
    unwantedTitles: unwanted,
    noise: findWords(stored, [...noiseEverywhere, ...noise]),
    untrue: findWords(stored, untrue),
  };
}

export function addShares(a: Share, b: Share): Share {
  return { met: a.met + b.met, of: a.of + b.of };
}

/** Of nothing, nothing. */
export function shareOf({ met, of }: Share): number {
  return of === 0 ? 0 : met / of;
}

function isMade(point: Point, { observations }: Stored): boolean {
  return observations.some((observation) => makes(observation, point));
}

function isTyped(point: Point, { observations }: Stored): boolean {
  const types: string[] = [point.type].flat();
  return observations.some((observation) => makes(observation, point) && types.includes(observation.type));
}

function makes(observation: StoredObservation, point: Point): boolean {
  return findLacking(observation, point).length === 0;
}

function findLacking({ title, subtitle, narrative, facts }: StoredObservation, { says }: Point): string[] {
  return absent(says, [title, subtitle, narrative, ...facts].join('\n'));
}

function describe(point: Point, { observations }: Stored): string {
  const wanted = `${[point.type].flat().join(' or ')} that says ${point.says.map(String).join(', ')}`;
  const [nearest] = observations
    .map((each) => ({ title: each.title, lacking: findLacking(each, point) }))
    .sort((a, b) => a.lacking.length - b.lacking.length);
  return nearest ? `${wanted} (nearest: "${nearest.title}" lacks ${nearest.lacking.join(', ')})` : wanted;
}

/** A long turn may leave several summaries: together they must say it. */
function checkSummary(wanted: WantedSummary, summaries: StoredSummary[]): { isMet: boolean; what: string }[] {
  const own = summaries.filter(({ prompt }) => prompt === wanted.prompt);
  if (own.length === 0)
    return wanted.optional ? [] : [{ isMet: false, what: `summary of prompt ${wanted.prompt}` }];
  const texts = SUMMARY_FIELDS.flatMap((field) => {
    const text = own.map((each) => each[field]).join('\n');
    return (wanted[field] ?? []).map((words) => ({
      isMet: contains(text, words),
      what: `summary of prompt ${wanted.prompt}: ${words} in ${field}`,
    }));
  });
  const files = (['filesRead', 'filesModified'] as const).flatMap((field) => {
    const paths = own.flatMap((each) => each[field]);
    return (wanted[field] ?? []).map((file) => ({
      isMet: paths.some((path) => path === file || path.endsWith(`/${file}`)),
      what: `summary of prompt ${wanted.prompt}: ${file} in ${field}`,
    }));
  });
  return [...texts, ...files];
}

function findWords({ observations, summaries }: Stored, words: Words): string[] {
  const memories = [
    ...observations.map((each) => ({ name: `${each.type}: ${each.title}`, text: textOf(each) })),
    ...summaries.map((each) => ({ name: `summary of prompt ${each.prompt}`, text: textOf(each) })),
  ];
  return memories.flatMap(({ name, text }) =>
    words.filter((each) => contains(text, each)).map((each) => `${each} in ${name}`),
  );
}

/** What a person asked for may stand in a request as it was typed. */
function textOf(memory: StoredObservation | StoredSummary): string {
  const { request: _request, subtitle: _subtitle, ...own } = { request: '', subtitle: '', ...memory };
  return Object.values(own)
    .flat()
    .filter((value) => typeof value === 'string')
    .join('\n');
}
