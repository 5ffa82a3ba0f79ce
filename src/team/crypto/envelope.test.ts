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

test('every text comes back as it was', () => {
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

test('the same text is never sealed to the same bytes, and does not show in them', () => {
  const plain = Buffer.from('the database password rotates on Mondays');
  const sealed = [1, 2].map(() => Buffer.from(sealPayload(plain, key, 1, place)));
  expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false);
  expect(sealed.some((bytes) => bytes.includes('Mondays'))).toBe(false);
});

test('sizes tell little: short texts look the same, long ones fall into few steps', () => {
  const sizeOf = (length: number) => sealPayload(Buffer.alloc(length), key, 1, place).length;
  expect(new Set([0, 1, 100, 252].map(sizeOf)).size).toBe(1);
  const sizes = new Set(Array.from({ length: 100 }, (_, at) => sizeOf(1000 + at * 100)));
  expect(sizes.size).toBeLessThan(25);
  for (const length of [3000, 50_000]) expect(sizeOf(length)).toBeLessThan(length * 1.3 + 300);
});

test('a payload opens only where it belongs', () => {
  const envelope = sealPayload(Buffer.from('text'), key, 1, place);
  const others: Partial<PayloadPlace>[] = [
    { team: 'other' },
    { projectKey: 'other' },
    { item: 'other' },
    { aspect: 'pin' },
    { hlc: '117633466727071746' },
    { origin: 'other' },
    { n: 8 },
    // The same letters, otherwise divided.
    { projectKey: 'projecti', item: 'tem' },
  ];
  for (const other of others)
    expect(openPayload(envelope, keys(1), { ...place, ...other })).toEqual({ outcome: 'damaged' });
});

test('a changed, cut or foreign payload is damaged, and never throws', () => {
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

test('an unknown epoch is told from damage, and another key is damage', () => {
  const envelope = sealPayload(Buffer.from('text'), key, 3, place);
  expect(openPayload(envelope, keys(1), place)).toEqual({ outcome: 'no-key', keyEpoch: 3 });
  expect(openPayload(envelope, () => makeKey(), place)).toEqual({ outcome: 'damaged' });
});

test('projects have names that only the team can make, and labels that only it can read', () => {
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
