import { expect, test } from 'vitest';
import { agreeOnSecret, deriveDeviceKey, makeDeviceKey, makeInvitationSecret } from './device-key.ts';
import { isProven, proveDevice } from './device-proof.ts';
import { openName, sealName } from './names.ts';
import { makeRecoveryCode, readRecoveryCode } from './recovery-code.ts';
import { resealKeys } from './reseal.ts';
import { isRightKey, makeCheckValue, makeKey, openKey, sealKey } from './sealed-key.ts';
import { unwrapTeamKey, wrapTeamKey } from './wrapped-key.ts';

const place = { team: 'team', project: 3, keyEpoch: 2 };
const sealFor = (key: Uint8Array, publicKey: Uint8Array) =>
  sealKey(key, publicKey, place) ?? new Uint8Array();

test('two machines agree on a secret that a third does not know', () => {
  const [ada, bo, eve] = [makeDeviceKey(), makeDeviceKey(), makeDeviceKey()];
  const secret = agreeOnSecret(ada.privateKey, bo.publicKey);
  expect(secret).toHaveLength(32);
  expect(agreeOnSecret(bo.privateKey, ada.publicKey)).toEqual(secret);
  expect(agreeOnSecret(eve.privateKey, bo.publicKey)).not.toEqual(secret);
});

test('a sealed key opens only on its machine and at its place', () => {
  const device = makeDeviceKey();
  const key = makeKey();
  const sealed = sealFor(key, device.publicKey);
  expect(openKey(sealed, device, place)).toEqual(key);
  expect(openKey(sealed, makeDeviceKey(), place)).toBeNull();
  for (const other of [{ team: 'other' }, { project: 4 }, { keyEpoch: 1 }])
    expect(openKey(sealed, device, { ...place, ...other })).toBeNull();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openKey(changed, device, place)).toBeNull();
  }
  for (const length of [0, 1, 32, 40]) expect(openKey(sealed.slice(0, length), device, place)).toBeNull();
});

test('seals no key for an invalid public key', () => {
  expect(sealKey(makeKey(), new Uint8Array(32), place)).toBeNull();
  expect(sealKey(makeKey(), new Uint8Array(5), place)).toBeNull();
});

test("a check value identifies the team's own key", () => {
  const [key, teamKey] = [makeKey(), makeKey()];
  const checkValue = makeCheckValue(key, teamKey, place);
  expect(isRightKey(key, teamKey, { ...place, checkValue })).toBe(true);
  expect(isRightKey(makeKey(), teamKey, { ...place, checkValue })).toBe(false);
  expect(isRightKey(key, makeKey(), { ...place, checkValue })).toBe(false);
  expect(isRightKey(key, teamKey, { ...place, keyEpoch: 3, checkValue })).toBe(false);
  expect(isRightKey(key, teamKey, { ...place, checkValue: checkValue.slice(1) })).toBe(false);
});

test("unwraps the team's key only with the secret, and only for this team", () => {
  const [teamKey, secret] = [makeKey(), makeInvitationSecret()];
  const wrapped = wrapTeamKey(teamKey, secret, 'team');
  expect(unwrapTeamKey(wrapped, secret, 'team')).toEqual(teamKey);
  expect(unwrapTeamKey(wrapped, makeInvitationSecret(), 'team')).toBeNull();
  expect(unwrapTeamKey(wrapped, secret, 'other')).toBeNull();
  for (const length of [0, 10, 40])
    expect(unwrapTeamKey(wrapped.slice(0, length), secret, 'team')).toBeNull();
});

test('a machine is proven only by a proof of the team for this machine', () => {
  const prover = { team: 'team', teamKey: makeKey() };
  const { publicKey } = makeDeviceKey();
  const device = { role: 'cairn_1', publicKey, proof: proveDevice(prover, 'cairn_1', publicKey) };
  expect(isProven(prover, device)).toBe(true);
  const others = [
    { ...device, role: 'cairn_2' },
    { ...device, publicKey: makeDeviceKey().publicKey },
    { ...device, proof: null },
    { ...device, proof: proveDevice({ ...prover, teamKey: makeKey() }, 'cairn_1', publicKey) },
  ];
  for (const other of others) expect(isProven(prover, other)).toBe(false);
});

test('names are always sealed to the same text, and only the team can open them', () => {
  const teamKey = makeKey();
  for (const name of ['', 'Anna', 'Änne 🦊', 'x'.repeat(95)]) {
    const sealed = sealName(name, teamKey);
    expect(sealed.length).toBeLessThanOrEqual(200);
    expect(sealName(name, teamKey)).toBe(sealed);
    expect(openName(sealed, teamKey)).toBe(name);
    expect(openName(sealed, makeKey())).toBeNull();
  }
  expect(sealName('Anna', teamKey)).toHaveLength(sealName('Benedikta', teamKey).length);
  expect(openName('Anna', teamKey)).toBeNull();
  expect(() => sealName('x'.repeat(96), teamKey)).toThrow('too long');
});

test('derives the same key pair from the same secret', () => {
  const secret = makeInvitationSecret();
  expect(deriveDeviceKey(secret)).toEqual(deriveDeviceKey(secret));
  expect(deriveDeviceKey(makeInvitationSecret())).not.toEqual(deriveDeviceKey(secret));
});

test('seals the keys of an invitation again for the machine, without wrong ones', () => {
  const secret = makeInvitationSecret();
  const opener = deriveDeviceKey(secret);
  const invited = opener.publicKey;
  const device = makeDeviceKey();
  const [key, wrong] = [makeKey(), makeKey()];
  const teamKey = makeKey();
  const own = { project: 3, keyEpoch: 2, checkValue: makeCheckValue(key, teamKey, place) };
  const resealed = resealKeys(
    [
      { ...own, sealed: sealFor(key, invited) },
      { ...own, sealed: sealFor(wrong, invited) },
      { ...own, sealed: new Uint8Array(7) },
    ],
    opener,
    { team: 'team', teamKey, device },
  );
  expect(resealed).toEqual([{ ...own, sealed: expect.any(Uint8Array) }]);
  expect(openKey(resealed[0]?.sealed ?? new Uint8Array(), device, place)).toEqual(key);
});

test('reads a recovery code typed carelessly, and rejects one with a typing error', () => {
  for (let round = 0; round < 200; round++) {
    const { text, secret } = makeRecoveryCode();
    expect(text).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(readRecoveryCode(text)).toEqual(secret);
    const sloppy = ` ${text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}\n`;
    expect(readRecoveryCode(sloppy)).toEqual(secret);
  }
  const { text } = makeRecoveryCode();
  expect(readRecoveryCode(text.slice(1))).toBeNull();
  expect(readRecoveryCode('')).toBeNull();
  expect(readRecoveryCode(`${text}-0000`)).toBeNull();
  const last = text.endsWith('2') ? '3' : '2';
  expect(readRecoveryCode(text.slice(0, -1) + last)).toBeNull();
});
