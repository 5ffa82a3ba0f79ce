import type { StoredSecrets } from '../crypto/team-secrets.ts';
import { TeamError } from '../feed.ts';

/** The address and login of a PostgreSQL server. */
export interface ServerAddress {
  /** A name, an IP address, or the folder of a unix socket. */
  host: string;
  port: number;
  database: string;
  /** Free text, because some poolers want more than the role's name. */
  user: string;
  password: string;
  /** PEM; null: the certificates that node trusts. */
  ca: string | null;
}

/** How a machine reaches its team. Secret: kept in a file that only its owner can read. */
export interface TeamCredentials extends ServerAddress {
  team: string;
  /** Present in an encrypted team. */
  keys?: StoredSecrets;
}

const URL_FORM =
  /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?(\[[^\]]*\]|[^:/?]*)(?::(\d+))?(?:\/([^?]*))?(?:\?(.*))?$/s;

/** `sslmode` and the like are ignored: connections are always encrypted and verified, see connect.ts. */
export function parseServerUrl(url: string, ca: string | null = null): ServerAddress {
  const parts = URL_FORM.exec(url.trim());
  if (!parts) throw invalidUrl();
  const [, login = '', host = '', port, path = '', query = ''] = parts;
  const parameters = new URLSearchParams(query);
  const colon = login.indexOf(':');
  const user = decode(colon === -1 ? login : login.slice(0, colon)) || parameters.get('user') || '';
  if (user === '') throw new TeamError('server', 'The URL has no user name.');
  return {
    host: decode(host.replace(/^\[|\]$/g, '')) || parameters.get('host') || 'localhost',
    port: Number(port ?? parameters.get('port') ?? 5432),
    database: decode(path) || parameters.get('dbname') || user,
    user,
    password: colon === -1 ? (parameters.get('password') ?? '') : decode(login.slice(colon + 1)),
    ca,
  };
}

/** Whether the host is a unix socket or loopback, where nothing leaves the machine. */
export function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl();
  }
}

/** The message does not quote the URL, which contains a password. */
function invalidUrl(): TeamError {
  return new TeamError(
    'server',
    'Not a PostgreSQL URL. Expected: postgres://user:password@host:5432/database',
  );
}
