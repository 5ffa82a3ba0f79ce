import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ROUNDS = 4096;

/** A password for a machine: with 192 bits it cannot be guessed from its verifier. */
export function makePassword(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * What PostgreSQL stores for a password (RFC 5803). Computed here to keep the password out of statements that the
 * server may log.
 */
export function makeVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  const key = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  const server = key('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${server}`;
}
