import type { Observation, Summary } from '../../model/memory.ts';
import { commentsIn, commitFacts, editFacts } from './facts.ts';
import { describeInvestigation } from './investigation.ts';
import { isLookup } from './is-lookup.ts';
import type { Material } from './material.ts';
import { findOpenEnds } from './open-ends.ts';
import { countWords, type Role, type Statement } from './text/roles.ts';
import { joinSentences, pickHeaviest, shorten } from './text/shorten.ts';

const LONGEST_PART = 800;
const MOST_FILES = 100;

/** A checkpoint of the turn; null when nothing happened that is worth looking up. */
export function summarise(material: Material, observations: Observation[]): Summary | null {
  if (observations.length === 0 && !isWorthNoting(material)) return null;
  const { request, filesRead, filesModified } = material;
  return {
    request: request.asked,
    investigated: describeInvestigation(material),
    learned: learned(material),
    completed: completed(material),
    nextSteps: joinSentences([...told(material, ['next']), ...findOpenEnds(material)]),
    notes: joinSentences(told(material, ['note'])),
    filesRead: filesRead.slice(0, MOST_FILES),
    filesModified: filesModified.slice(0, MOST_FILES),
  };
}

/** Something was changed, committed or run; or something was looked into for a reason and not answered in a word. */
function isWorthNoting({ turn, edits, commits, runs, said, request }: Material): boolean {
  if (edits.length > 0 || commits.length > 0) return true;
  if (request.isEmpty || (request.asked === '' && said.length === 0)) return false;
  if (runs.some(({ kind }) => kind !== 'look')) return true;
  return (
    turn.calls.some(isLookup) &&
    (said.some(({ weight, text }) => weight >= 3 || countWords(text) >= 8) || said.length === 0)
  );
}

function learned(material: Material): string {
  const roles: Role[] = ['cause', 'gotcha', 'finding', 'decision'];
  const words = told(material, plainTellsDeeds(material) ? roles : [...roles, 'plain']);
  if (words.length > 0) return joinSentences(words);
  return material.said.length === 0 ? commentsIn(material.edits).join(' ') : '';
}

function completed(material: Material): string {
  const { edits, commits, repairs } = material;
  const deeds = told(material, plainTellsDeeds(material) ? ['cure', 'plain'] : ['cure']);
  const status = told(material, ['status']);
  const green = repairs
    .slice(0, 1)
    .map((repair) => `\`${shorten(repair.green.command, 100)}\` is green again.`);
  const words = [
    ...(deeds.length > 0 ? deeds : editFacts(edits, 5)),
    ...(status.length > 0 ? status : green),
  ];
  return joinSentences([
    ...words,
    ...commitFacts(
      commits.filter(
        ({ subject, hash }) =>
          !words.some((text) => text.includes(subject) || (hash !== undefined && text.includes(hash))),
      ),
    ),
  ]);
}

/** Whether plain statements tell what was done rather than what was found. */
function plainTellsDeeds({ work, commits, request, runs, tookBack, stillRed }: Material): boolean {
  if (work === 'dead-end' || work === 'bugfix' || tookBack || stillRed) return false;
  if (work !== undefined || commits.length > 0) return true;
  const asked = request.intent === 'explain' || request.intent === 'investigate';
  return !asked && runs.some(({ kind, green }) => green && kind !== 'look');
}

function told({ said }: Material, roles: Role[]): string[] {
  const fitting: Statement[] = said.filter(({ role }) => roles.includes(role));
  return pickHeaviest(fitting, LONGEST_PART).map(({ text }) => text);
}
