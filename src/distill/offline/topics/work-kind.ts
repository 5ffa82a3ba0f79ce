import type { ObservationType } from '../../../model/memory.ts';
import { isInterim } from '../calls/commits.ts';
import { kindOfFile } from '../calls/paths.ts';
import type { Evidence } from '../evidence.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import type { Request } from '../request.ts';
import { cue } from '../text/cue.ts';

type WorkType = Extract<ObservationType, 'bugfix' | 'feature' | 'refactor' | 'change'>;

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

const fault = cue(
  'bugs?|root cause|culprit|wrong(ly)?|mistake|broke|broken|off by one|regression|crash(ed|es)?|fixed|fehler\\p{L}*|behoben|falsch|kaputt|bogue|corrigé|erreur|cassé|corregid[oa]|fallo|falla(ba)?|corrigid[oa]|falha|erro|ошибк\\p{L}*|исправ\\p{L}*|баг\\p{L}*|слома\\p{L}*',
  '修正|バグ|不具合|修复|错误|缺陷|버그|오류|고쳤|수정',
);

const moving = cue(
  'renam(ed|es)|extract(ed|s)|moved|split (up|into)|refactor(ed|s)?|inlined|deduplicated|consolidated|umbenannt|ausgelagert|aufgeteilt|verschoben|renommé|extrait|déplacé|renombrad[oa]|extraíd[oa]|movid[oa]|renomead[oa]|extraíd[oa]|перен[её]с\\p{L}*|вын[её]с\\p{L}*|раздел\\p{L}*|переимен\\p{L}*',
  'リファクタ|分割し|移動し|切り出|重构|拆分|重命名|抽成|리팩터|분리|이동|추출',
);

/** What kind of work the edits of a turn were: the commit says it, else the calls, else what was asked, else the words. */
export function classifyWork(request: Request, claims: KeptSentence[], evidence: Evidence): WorkType {
  const { edits, repairs, commits } = evidence;
  const prefix = commits
    .filter((commit) => !isInterim(commit))
    .map(({ subject }) => /^(\w+)(?:\([^)]*\))?!?:\s/.exec(subject)?.[1]?.toLowerCase() ?? '');
  const said = prefix.map((each) => PREFIXES[each]).find((type) => type !== undefined);
  if (said) return said;
  const kinds = new Set(edits.map(({ path }) => kindOfFile(path)));
  const hasCode = kinds.has('source') || kinds.has('test');
  const { intent } = request;
  const wasRed = repairs.some(({ wasRedBefore }) => wasRedBefore);
  if (wasRed && intent !== 'refactor' && intent !== 'add') return 'bugfix';
  const onlyDocs = [...kinds].every((kind) => kind === 'docs');
  if (intent === 'fix' && !onlyDocs) return 'bugfix';
  if (!hasCode) return 'change';
  if (intent === 'refactor') return 'refactor';
  if (intent === 'add') return 'feature';
  const words = claims.map(({ statement }) => statement);
  if (words.some((text) => moving.test(text)) && edits.length > 1) return 'refactor';
  if (words.some((text) => fault.test(text)) && claims.some(({ role }) => role === 'cause')) return 'bugfix';
  return edits.some(({ path, created }) => created && kindOfFile(path) === 'source') ? 'feature' : 'change';
}
