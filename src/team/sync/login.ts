import { rmSync } from 'node:fs';
import type { Environment } from '../../config/environment.ts';
import type { Settings } from '../../config/settings.ts';
import { isObject, parseJson } from '../../model/json.ts';
import { readIfThere, writeAtomically } from '../../platform/files.ts';
import type { Paths } from '../../platform/paths.ts';
import { runProgram } from '../../platform/run-program.ts';
import { areStoredSecrets } from '../crypto/team-secrets.ts';
import { TeamError } from '../feed.ts';
import type { TeamCredentials } from '../server/address.ts';

/** Long, because a keychain may ask the person. */
const KEYCHAIN_MS = 60_000;

export interface LoginOptions {
  paths: Paths;
  settings: Settings;
  env: Pick<Environment, 'searchPath' | 'userHome' | 'teamLink'>;
}

/** Saves a login where only its owner can read it. */
export async function saveLogin(options: LoginOptions, credentials: TeamCredentials): Promise<void> {
  const text = JSON.stringify(credentials);
  if (options.settings['team.keychain'] === '') writeAtomically(options.paths.teamLogin, `${text}\n`);
  else await callKeychain(options, 'store', text);
}

/** @returns null if this home has none. */
export async function readLogin(options: LoginOptions): Promise<TeamCredentials | null> {
  const isFile = options.settings['team.keychain'] === '';
  const text = isFile ? readIfThere(options.paths.teamLogin) : await callKeychain(options, 'get', '');
  if (text === null || text.trim() === '') return null;
  const login = parseJson(text);
  if (isCredentials(login)) return login;
  throw new TeamError('access', 'The stored login of the team cannot be read. Join again with a new link.');
}

export async function removeLogin(options: LoginOptions): Promise<void> {
  rmSync(options.paths.teamLogin, { force: true });
  if (options.settings['team.keychain'] !== '') await callKeychain(options, 'erase', '');
}

function isCredentials(value: unknown): value is TeamCredentials {
  if (!isObject(value)) return false;
  const texts = ['host', 'database', 'user', 'password', 'team'];
  const isAddress = texts.every((name) => typeof value[name] === 'string') && typeof value.port === 'number';
  return isAddress && (value.keys === undefined || areStoredSecrets(value.keys));
}

/** Like a credential helper of git: the action is its last argument, the login goes through stdin and stdout. */
async function callKeychain(
  { settings, paths, env }: LoginOptions,
  action: 'get' | 'store' | 'erase',
  input: string,
): Promise<string> {
  const end = await runProgram(
    {
      program: '/bin/sh',
      args: ['-c', `${settings['team.keychain']} "$1"`, 'sh', action],
      cwd: paths.home,
      env: { PATH: env.searchPath, HOME: env.userHome },
      input,
    },
    AbortSignal.timeout(KEYCHAIN_MS),
  );
  if (end.exitCode === 0) return end.stdout;
  // A failing keychain command means that it has no login.
  if (action !== 'store') return '';
  throw new TeamError('access', `The keychain command failed (team.keychain, exit code ${end.exitCode}).`);
}
