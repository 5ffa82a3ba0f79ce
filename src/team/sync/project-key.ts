import { normaliseRemote } from '../../platform/git/checkout.ts';

/**
 * The key of a project on every machine: its remote address without credentials, protocol, port and query. Never the
 * first commit: a fork has the same one.
 * @returns null for a remote that only this machine knows, such as a folder or an alias of the ssh configuration.
 */
export function keyOfRemote(remote: string): string | null {
  const [address = ''] = normaliseRemote(remote).split(/[?#]/);
  // A password may contain an @.
  const [host = '', ...path] = address.split('/');
  const key = [host.slice(host.lastIndexOf('@') + 1).toLowerCase(), ...path].join('/').replace(/\.git$/, '');
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[^\s/][^\s]*$/.test(key) ? key : null;
}

/** The key of a project without a remote, from a name that a person chose. */
export function keyOfName(name: string): string | null {
  const key = name.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9._-]{0,99}$/.test(key) ? `name:${key}` : null;
}
