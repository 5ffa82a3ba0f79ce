import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPayload, type PayloadPlace, sealPayload } from './envelope.ts';
import { hideProjectKey, openLabel, sealLabel } from './project-names.ts';
import { makeKey } from './sealed-key.ts';

const key = makeKey();
const place: PayloadPlace = {
  team: 'b8a4c3c6-0000-4000-8000-000000000001',
  projectKey: 'project',
  item: 'item',
  aspect: 'text',
  hlc: '117633466727071745',
  origin: 'origin',
  n: 7,
};
const keys = (wanted: number) => (epoch: number) => (epoch === wanted ? key : undefined);

test('opens any sealed payload unchanged', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 5000 }),
      fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      (plain, epoch) => {
        const envelope = sealPayload(plain, key, epoch, place);
        expect(openPayload(envelope, keys(epoch), place)).toEqual({ outcome: 'opened', plain });
      },
    ),
    { numRuns: 50 },
  );
});

test('seals the same text to different bytes, which do not contain it', () => {
  const plain = Buffer.from('the database password rotates on Mondays');
  const sealed = [1, 2].map(() => Buffer.from(sealPayload(plain, key, 1, place)));
  expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false);
  expect(sealed.some((bytes) => bytes.includes('Mondays'))).toBe(false);
});

test('hides sizes: short texts get the same size, long ones one of few', () => {
  const sizeOf = (length: number) => sealPayload(Buffer.alloc(length), key, 1, place).length;
  expect(new Set([0, 1, 100, 252].map(sizeOf)).size).toBe(1);
  const sizes = new Set(Array.from({ length: 100 }, (_, at) => sizeOf(1000 + at * 100)));
  expect(sizes.size).toBeLessThan(25);
  for (const length of [3000, 50_000]) expect(sizeOf(length)).toBeLessThan(length * 1.3 + 300);
});

test('opens a payload only at its own place', () => {
  const envelope = sealPayload(Buffer.from('text'), key, 1, place);
  const others: Partial<PayloadPlace>[] = [
    { team: 'other' },
    { projectKey: 'other' },
    { item: 'other' },
    { aspect: 'pin' },
    { hlc: '117633466727071746' },
    { origin: 'other' },
    { n: 8 },
    // The same letters, divided differently.
    { projectKey: 'projecti', item: 'tem' },
  ];
  for (const other of others)
    expect(openPayload(envelope, keys(1), { ...place, ...other })).toEqual({ outcome: 'damaged' });
});

test('reports a changed, cut or foreign payload as damaged', () => {
  const envelope = sealPayload(Buffer.from('text'), key, 1, place);
  for (let at = 0; at < envelope.length; at += 7) {
    const changed = Uint8Array.from(envelope);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openPayload(changed, () => key, place).outcome).toBe('damaged');
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(openPayload(bytes, () => key, place)).toEqual({ outcome: 'damaged' });
    }),
  );
  for (const length of [0, 1, 6, 30, 45])
    expect(openPayload(envelope.slice(0, length), keys(1), place)).toEqual({ outcome: 'damaged' });
});

test('distinguishes an unknown epoch from a wrong key', () => {
  const envelope = sealPayload(Buffer.from('text'), key, 3, place);
  expect(openPayload(envelope, keys(1), place)).toEqual({ outcome: 'no-key', keyEpoch: 3 });
  expect(openPayload(envelope, () => makeKey(), place)).toEqual({ outcome: 'damaged' });
});

test('only the team can compute project keys and open project labels', () => {
  const remote = 'github.com/acme/shop';
  const hidden = hideProjectKey(key, remote);
  expect(hidden).toBe(hideProjectKey(key, remote));
  expect([hideProjectKey(makeKey(), remote), hideProjectKey(key, 'github.com/acme/shop2')]).not.toContain(
    hidden,
  );
  const label = { key: remote, name: 'shop' };
  const sealed = sealLabel(label, { team: place.team, teamKey: key });
  expect(openLabel(sealed, { team: place.team, teamKey: key }, hidden)).toEqual(label);
  expect(openLabel(sealed, { team: place.team, teamKey: key }, 'other')).toBeNull();
  expect(openLabel(sealed, { team: place.team, teamKey: makeKey() }, hidden)).toBeNull();
});
