import { TeamError, type TeamErrorReason } from '../feed.ts';

const BY_SQLSTATE: [pattern: RegExp, reason: TeamErrorReason][] = [
  [/^CA001$/, 'forbidden'],
  [/^CA002$/, 'keys'],
  [/^28/, 'access'],
  [/^42501$/, 'access'],
  [/^(?:3D000|3F000|42883|42P01)$/, 'not-a-team'],
  // Locks, serialization, too many connections, a full disk, a statement that took too long.
  [/^(?:55P03|40001|40P01|53...|57014)$/, 'busy'],
  [/^(?:57P0.|08...)$/, 'network'],
];

const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:VERIFY|GET)_|INVALID_CA|HOSTNAME_MISMATCH)/;
const NETWORK = /^(?:E[A-Z]+|ENOTFOUND|EAI_AGAIN)$/;

/** PgBouncer has one code (08P01) for everything. These messages mean that the login is wrong or was revoked. */
const REFUSED_BY_POOLER =
  /no such user|bouncer config error|(?:SASL|password) authentication failed|not permitted to log in|auth failed|login rejected/i;

export function isUnclearRefusal(error: unknown): boolean {
  return error instanceof Error && /bouncer config error/.test(error.message);
}

const REFUSED_LOGIN = /authentication failed for user|not permitted to log in/;

/** Whether the server does not know the login, or not with this password. */
export function isRefusedLogin(error: unknown): boolean {
  const { reason, cause } = toTeamError(error);
  if (reason !== 'access' || !(cause instanceof Error)) return false;
  return REFUSED_LOGIN.test(cause.message) || REFUSED_BY_POOLER.test(cause.message);
}

/** The random role name of a machine, which means nothing to a person. */
const ROLE_OF_MACHINE = /"cairn_[0-9a-f]+/;

export function toTeamError(error: unknown): TeamError {
  if (error instanceof TeamError) return error;
  if (!(error instanceof Error)) return new TeamError('server', String(error));
  const reason = reasonOf(error);
  return new TeamError(reason, describeFailure(error, reason), { cause: error });
}

function describeFailure(error: Error, reason: TeamErrorReason): string {
  const cause = error.message || codeOf(error);
  if (reason === 'network') return `The server cannot be reached (${cause}).`;
  if (REFUSED_LOGIN.test(cause) && ROLE_OF_MACHINE.test(cause))
    return 'The server does not accept the login of this machine.';
  // PostgreSQL's own messages have no full stop.
  return /[.!?]$/.test(cause) ? cause : `${cause}.`;
}

function reasonOf(error: Error): TeamErrorReason {
  const code = codeOf(error);
  if (code === '08P01' && REFUSED_BY_POOLER.test(error.message)) return 'access';
  const known = BY_SQLSTATE.find(([pattern]) => pattern.test(code));
  if (known) return known[1];
  if (TLS.test(code) || /does not support SSL/i.test(error.message)) return 'tls';
  if (/SASL|SCRAM/.test(error.message)) return 'access';
  if (NETWORK.test(code) || /timeout|terminated|closed|not queryable|ended/i.test(error.message))
    return 'network';
  if (error instanceof AggregateError) return 'network';
  return 'server';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
