import type { FileEdit } from './calls/edits.ts';
import { kindOfFile } from './calls/paths.ts';
import type { Repair } from './calls/repairs.ts';
import type { Request } from './request.ts';
import { cue } from './text/cue.ts';
import { givenUp } from './text/cues.ts';
import type { Statement } from './text/roles.ts';

/** What kind of work the edits of a turn were. All of them are one piece of work. */
export type WorkKind = 'bugfix' | 'feature' | 'refactor' | 'change' | 'dead-end';

interface Signs {
  request: Request;
  said: Statement[];
  edits: FileEdit[];
  repairs: Repair[];
  tookBack: boolean;
}

const tellsOfFault = cue(
  'fixed (the|a|it|this|that|in)|the fix|bugs?|root cause|(the )?cause|caused|swapped|wrong(ly)?|mistake|broke|broken|off by one|regression|crash(ed|es)?|fehler|behoben|ursache|falsch|bogue|corrigé|erreur|corregido|error',
  '修正|原因|バグ|不具合|修复|错误|原因',
);

const tellsOfMoving = cue(
  'renam(ed|es)|extract(ed|s)|moved|split (up|into)|refactor(ed|s)?|inlined|deduplicated|consolidated|umbenannt|ausgelagert|aufgeteilt|verschoben|renommé|extrait|déplacé|renombrado|extraído|movido',
  'リファクタ|分割し|移動し|切り出|重构|拆分|重命名',
);

export function classifyWork({ request, said, edits, repairs, tookBack }: Signs): WorkKind | undefined {
  if (tookBack && said.some(({ text }) => givenUp.test(text))) return 'dead-end';
  if (edits.length === 0) return undefined;
  const { intent } = request;
  const kinds = new Set(edits.map(({ path }) => kindOfFile(path)));
  const onlyBeside = !kinds.has('source') && !kinds.has('test');
  const repaired =
    repairs.some(({ wasRedBefore }) => wasRedBefore) || (intent === 'fix' && repairs.length > 0);
  if (repaired && intent !== 'refactor' && intent !== 'add') return 'bugfix';
  if (intent === 'fix' && !onlyBeside) return 'bugfix';
  if (onlyBeside) return 'change';
  const words = said
    .filter(({ role }) => role === 'cause' || role === 'cure')
    .map(({ text, under }) => `${under} ${text}`);
  if (intent === 'refactor') return 'refactor';
  if (intent === 'add') return 'feature';
  if (words.some((text) => tellsOfFault.test(text))) return 'bugfix';
  if (words.some((text) => tellsOfMoving.test(text)) && edits.length > 1) return 'refactor';
  return edits.some(({ path, created }) => created && kindOfFile(path) === 'source') ? 'feature' : 'change';
}
