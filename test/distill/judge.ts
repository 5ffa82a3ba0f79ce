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

export interface Verdict {
  /** What should have been remembered and was not. */
  missing: string[];
  /** Memories that nobody wants, one line each. */
  junk: string[];
  /** Text that belongs in no memory, because it is worth nothing or false. */
  noise: string[];
}

/** Compares what was stored of a session with what a careful engineer would have written down. */
export function judge(expectation: Expectation, stored: Stored): Verdict {
  const { essentials, niceToHave = [], summaries, nothing } = expectation;
  const wanted = nothing ? [] : essentials;
  const allowed = nothing ? [] : niceToHave;
  const taken = assign([...wanted, ...allowed], stored.observations);
  const expectedPrompts = nothing ? [] : summaries.map(({ prompt }) => prompt);

  return {
    missing: [
      ...wanted.flatMap((each, index) => (taken.has(index) ? [] : [missed(each, stored.observations)])),
      ...(nothing ? [] : summaries).flatMap((each) => missingInSummary(each, stored.summaries)),
    ],
    junk: [
      ...stored.observations
        .filter((_, index) => ![...taken.values()].includes(index))
        .map((each) => `${each.type}: ${each.title}`),
      ...stored.summaries
        .filter(({ prompt }) => prompt === null || !expectedPrompts.includes(prompt))
        .map(({ prompt, request }) => `summary of prompt ${prompt}: ${request}`),
    ],
    noise: noiseIn(stored, [...noiseEverywhere, ...expectation.noise, ...(expectation.untrue ?? [])]),
  };
}

/**
 * Which observation stands for which wish, by their indexes, at most one for each. As many wishes as
 * possible are met, the earlier ones first; so a duplicate of something wanted is left over.
 */
function assign(wishes: Point[], observations: StoredObservation[]): Map<number, number> {
  const taken = new Map<number, number>();
  const wishOf = new Map<number, number>();
  const meet = (wish: number, tried: Set<number>): boolean => {
    for (const [index, observation] of observations.entries()) {
      const wanted = wishes[wish];
      if (!wanted || tried.has(index) || lacks(wanted, observation).length > 0) continue;
      tried.add(index);
      const holder = wishOf.get(index);
      if (holder !== undefined && !meet(holder, tried)) continue;
      taken.set(wish, index);
      wishOf.set(index, wish);
      return true;
    }
    return false;
  };
  for (const wish of wishes.keys()) meet(wish, new Set());
  return taken;
}

/** What keeps an observation from being the wanted one. */
function lacks(wanted: Point, { type, title, prompt, ...rest }: StoredObservation): string[] {
  const types: string[] = [wanted.type].flat();
  const text = [title, rest.subtitle, rest.narrative, ...rest.facts].join('\n');
  return [
    ...(types.includes(type) ? [] : [`type ${types.join(' or ')}`]),
    ...absent(wanted.says, text),
    ...absent(wanted.title ?? [], title).map((words) => `${words} in the title`),
    ...absentFiles(wanted.files ?? [], [...rest.filesRead, ...rest.filesModified]),
    ...(wanted.prompt === undefined || wanted.prompt === prompt ? [] : [`prompt ${wanted.prompt}`]),
  ];
}

function missed(wanted: Point, observations: StoredObservation[]): string {
  const nearest = observations
    .map((each) => ({ title: each.title, lacking: lacks(wanted, each) }))
    .sort((a, b) => a.lacking.length - b.lacking.length)[0];
  const wish = `${[wanted.type].flat().join(' or ')} that says ${wanted.says.map(String).join(', ')}`;
  if (!nearest) return wish;
  const why = nearest.lacking.length === 0 ? 'stands for another' : `lacks ${nearest.lacking.join(', ')}`;
  return `${wish} (nearest: "${nearest.title}" ${why})`;
}

/** A long turn may leave several summaries: together they must say it. */
function missingInSummary(wanted: WantedSummary, summaries: StoredSummary[]): string[] {
  const ofPrompt = summaries.filter(({ prompt }) => prompt === wanted.prompt);
  if (ofPrompt.length === 0) return wanted.optional ? [] : [`summary of prompt ${wanted.prompt}`];
  const fields = ['request', 'investigated', 'learned', 'completed', 'nextSteps', 'notes'] as const;
  const lacking = [
    ...fields.flatMap((field) => {
      const text = ofPrompt.map((each) => each[field]).join('\n');
      return absent(wanted[field] ?? [], text).map((words) => `${words} in ${field}`);
    }),
    ...(['filesRead', 'filesModified'] as const).flatMap((field) =>
      absentFiles(
        wanted[field] ?? [],
        ofPrompt.flatMap((each) => each[field]),
      ).map((file) => `${file} in ${field}`),
    ),
  ];
  return lacking.map((what) => `summary of prompt ${wanted.prompt}: ${what}`);
}

function noiseIn({ observations, summaries }: Stored, words: Words): string[] {
  const memories = [
    ...observations.map((each) => ({ name: `${each.type}: ${each.title}`, text: textOf(each) })),
    ...summaries.map((each) => ({ name: `summary of prompt ${each.prompt}`, text: textOf(each) })),
  ];
  return memories.flatMap(({ name, text }) =>
    words.filter((noise) => contains(text, noise)).map((noise) => `${noise} in ${name}`),
  );
}

function textOf(memory: StoredObservation | StoredSummary): string {
  return Object.values(memory)
    .flat()
    .filter((value) => typeof value === 'string')
    .join('\n');
}

/** Stored paths may be absolute or start in the project. */
function absentFiles(files: string[], stored: string[]): string[] {
  return files.filter((file) => !stored.some((each) => each === file || each.endsWith(`/${file}`)));
}
