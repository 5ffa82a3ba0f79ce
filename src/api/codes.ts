import { createHash, randomBytes } from 'node:crypto';

const CODE_LASTS_MS = 60_000;
const MOST_CODES = 100;

/** One-time codes for links. Only their digests are kept. */
export function createCodes(now: () => number) {
  const codes = new Map<string, { expiresAt: number; isUsed: boolean }>();

  return {
    issue(): { code: string; expiresAt: number } {
      const code = randomBytes(16).toString('base64url');
      const expiresAt = now() + CODE_LASTS_MS;
      codes.set(digestOf(code), { expiresAt, isUsed: false });
      for (const oldest of codes.keys()) {
        if (codes.size <= MOST_CODES) break;
        codes.delete(oldest);
      }
      return { code, expiresAt };
    },
    use(code: string): 'accepted' | 'used' | 'expired' | 'unknown' {
      const known = codes.get(digestOf(code));
      if (!known) return 'unknown';
      if (known.isUsed) return 'used';
      if (known.expiresAt <= now()) return 'expired';
      known.isUsed = true;
      return 'accepted';
    },
  };
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('base64');
}
