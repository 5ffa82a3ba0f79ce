import { formatReference } from '../model/reference.ts';
import { shorten } from '../model/shorten.ts';
import type { ErrorHit } from '../recall/errors/find-errors.ts';
import type { Store } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type { PresentedHit } from './present-hits.ts';

const TITLE_LENGTH = 140;

/** Errors as index lines. Each opens the memory of its fix, or else the session in which it occurred. */
export function presentErrors(store: Pick<Store, 'getMemories'>, hits: ErrorHit[]): PresentedHit[] {
  const fixes = new Map(store.getMemories(hits.flatMap(({ fix }) => fix ?? [])).map((fix) => [fix.id, fix]));
  return hits.map(({ error, times, fix }) => {
    const memory = fix === null ? undefined : fixes.get(fix);
    const { name, message, at, project, sessionId } = error;
    const id = memory
      ? formatReference({ what: 'memory', id: memory.id })
      : formatReference({ what: 'session', id: sessionId });
    return {
      entry: {
        ...{ id, type: 'error', at, project, tokens: memory?.tokens ?? 0 },
        title: shorten([name, message].filter(Boolean).join(': '), TITLE_LENGTH),
        marks: [memory ? describeFix(memory) : 'no memory says what was done about it'],
        reasons: ['an error of a failed call', ...(times > 1 ? [`seen ${times} times`] : [])],
      },
      score: 1,
      isWeaker: false,
      memory: memory ?? null,
    };
  });
}

function describeFix({ id, type, title }: StoredMemory): string {
  const what = type === 'bugfix' ? 'fixed by' : 'see';
  return `${what} ${formatReference({ what: 'memory', id })}: ${shorten(title, TITLE_LENGTH)}`;
}
