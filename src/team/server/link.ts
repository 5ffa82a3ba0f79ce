import { areStoredSecrets } from '../crypto/team-secrets.ts';
import { TeamError } from '../feed.ts';
import type { TeamCredentials } from './address.ts';

/** The content of a link that an invited person pastes once. The password works for joining only. */
export interface Invitation extends TeamCredentials {
  /** Milliseconds; only to inform the person, because the server decides. */
  expiresAt: number;
  /** Opens the team's key, which the server has wrapped with it; null in a team without encryption. */
  secret: string | null;
}

const PREFIX = 'cairn-team-';
/** A link should fit into a message, but bundles of all authorities of a cloud have hundreds of kilobytes. */
const MAX_CA_CHARACTERS = 16_000;

export function writeLink(invitation: Invitation): string {
  if ((invitation.ca?.length ?? 0) > MAX_CA_CHARACTERS)
    throw new TeamError(
      'tls',
      'The CA file is too large for a link. Give only the certificate that signs the server.',
    );
  return PREFIX + Buffer.from(JSON.stringify(invitation)).toString('base64url');
}

export function readLink(link: string): Invitation {
  const text = link.replace(/\s+/g, '');
  const parsed = text.startsWith(PREFIX) ? parse(text.slice(PREFIX.length)) : null;
  if (!isInvitation(parsed))
    throw new TeamError('server', 'Not an invitation link, or a part of it is missing. Copy the whole link.');
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function isInvitation(value: unknown): value is Invitation {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const has = (type: string, ...names: string[]) => names.every((name) => typeof fields[name] === type);
  const isTextOrNull = (name: string) => fields[name] === null || typeof fields[name] === 'string';
  return (
    has('string', 'host', 'database', 'user', 'password', 'team') &&
    has('number', 'port', 'expiresAt') &&
    isTextOrNull('ca') &&
    isTextOrNull('secret') &&
    (fields.keys === undefined || areStoredSecrets(fields.keys))
  );
}
