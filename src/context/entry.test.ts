import { expect, test } from 'vitest';
import type { StoredMemory } from '../store/types/memory.ts';
import { formatFullEntry } from './entry.ts';

const CAP =
  'The backoff is capped in app/backoff.py of the shared lib, so if someone raises that cap above 65 minutes the same event is posted twice again';
const OTHER = 'The lease is renewed every 20 s.';

function formatOf(title: string, facts: string[]): string | undefined {
  const texts = {
    title,
    facts,
    subtitle: '',
    narrative: '',
    parts: null,
    distiller: 'offline',
    author: null,
  };
  const memory = { id: 8, kind: 'observation', type: 'gotcha', at: Date.UTC(2026, 4, 4, 9), ...texts };
  return formatFullEntry(memory as unknown as StoredMemory, { state: 'unknown' } as never, 300)?.text;
}

test('a memory in full has its whole title', () => {
  expect(formatOf(CAP, [])).toBe(`#8 gotcha, 2026-05-04: ${CAP}`);
});

test('a fact is given whole instead of a title that was cut from it', () => {
  const text = formatOf('The backoff is capped in app/backoff.py of the shared lib…', [OTHER, `${CAP}.`]);
  expect(text).toBe(`#8 gotcha, 2026-05-04: ${CAP}.\n- ${OTHER}`);
});
