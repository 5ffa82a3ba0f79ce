import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  clientConfigPath,
  enabledPlugin,
  hooksAreOff,
  inspect,
  settingsPath,
} from '../../agents/claude-code/installer.ts';
import { parseJsonText, property, UnreadableJson } from '../../agents/install/json-text.ts';
import { findNotPlain, NotPlainJson } from '../../agents/install/plain-json.ts';
import { recordedFiles } from '../../agents/install/record.ts';
import { when } from '../../context/words.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import type { HookSighting } from '../../store/types/session.ts';
import type { Call } from '../support/command.ts';
import { captureCommand } from '../support/install-target.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { checkServer } from './mcp-server.ts';
import { checkSlashCommands } from './slash-commands.ts';

const CURE = 'Run: cairn install claude-code';

/** Claude Code's side: which hooks are in its settings, whether they run, when they last did. */
export function checkClaudeCode(call: Call, sightings: HookSighting[]): Check[] {
  const { env } = call;
  const top = findCheckout(process.cwd())?.top ?? process.cwd();
  const files = [settingsPath(env), settingsPath({ ...env, project: top })];
  const { texts, problems } = readAll([...files, clientConfigPath(env)]);
  if (problems.length > 0) return problems;

  const checks: Check[] = [...checkHooksAreOn(texts), ...checkTrust(call, top)];
  const command = captureCommand(call).command;
  const settings = texts.filter(({ file }) => files.includes(file));
  const here = settings.filter(({ text }) => isConnected(text, command));
  const plugin = settings.map(({ text }) => enabledPlugin(text)).find((name) => name !== undefined);
  if (plugin) checks.push(ok('Claude Code', `plugin ${plugin}`));
  if (here.length === 0 && !plugin) return [...checks, warn('Claude Code', 'not connected', CURE)];
  for (const { file, text } of here)
    checks.push(...checkEntries(call, file, text, command, sightings), checkSlashCommands(call, file));
  return [...checks, ...checkServer(call)];
}

/** Only whether hooks of Cairn are in settings that Claude Code can read; none of them is run. */
export function checkConnection(call: Call, sightings: HookSighting[]): Check[] {
  const { env, paths } = call;
  const top = findCheckout(process.cwd())?.top ?? process.cwd();
  const { texts, problems } = readAll([settingsPath(env), settingsPath({ ...env, project: top })]);
  if (problems.length > 0) return problems;
  const off = checkHooksAreOn(texts);
  if (off.length > 0) return off;
  const command = captureCommand(call).command;
  const elsewhere = readAll(recordedFiles(paths.installed)).texts;
  const isThere = [...texts, ...elsewhere].some(
    ({ text }) => isConnected(text, command) || enabledPlugin(text) !== undefined,
  );
  // What was never installed is not broken, and other agents report without being installed.
  const isExpected = existsSync(paths.installed) && sightings.every(({ agent }) => agent === 'claude-code');
  if (isThere || !isExpected) return [];
  return [bad('Claude Code', `not connected: there is no hook of Cairn in ${settingsPath(env)}`, CURE)];
}

interface SettingsText {
  file: string;
  text: string | null;
}

function readAll(files: string[]): { texts: SettingsText[]; problems: Check[] } {
  const texts: SettingsText[] = [];
  const problems: Check[] = [];
  for (const file of files)
    try {
      const text = readRegularIfThere(file, CONFIG_LIMIT)?.toString('utf8') ?? null;
      if (text !== null && text.trim() !== '') parseJsonText(text);
      const extra = text === null ? null : findNotPlain(text);
      if (extra) throw extra;
      texts.push({ file, text });
    } catch (error) {
      problems.push(unreadable(file, error));
    }
  return { texts, problems };
}

function unreadable(file: string, error: unknown): Check {
  const place = error instanceof UnreadableJson ? `:${error.line}:${error.column}` : '';
  const says = `${file}${place}: ${error instanceof Error ? error.message : error}`;
  return error instanceof NotPlainJson
    ? bad('Claude Code', `${says}, so Claude Code ignores the whole file`, `${CURE} --fix-settings`)
    : bad('Claude Code', says, 'Correct the file.');
}

function isConnected(text: string | null, command: (event: string) => string): boolean {
  return inspect(text, command).some(({ state }) => state !== 'missing');
}

function checkHooksAreOn(texts: SettingsText[]): Check[] {
  const off = texts.find(({ text }) => hooksAreOff(text));
  return off
    ? [
        bad(
          'Claude Code',
          `"disableAllHooks" is on in ${off.file}`,
          'Remove it there: no hook runs until then.',
        ),
      ]
    : [];
}

/** In a folder that was never trusted the client asks first and runs no hook before. */
function checkTrust({ env }: Call, folder: string): Check[] {
  const text = readAll([clientConfigPath(env)]).texts[0]?.text;
  if (typeof text !== 'string') return [];
  const project = property(property(parseJsonText(text), 'projects'), folder);
  const trusted = property(project, 'hasTrustDialogAccepted')?.value;
  return trusted === false
    ? [
        warn(
          'Claude Code',
          `${folder} is not trusted yet, so no hook runs there`,
          'Start claude there once and accept.',
        ),
      ]
    : [];
}

function checkEntries(
  call: Call,
  file: string,
  text: string | null,
  command: (event: string) => string,
  sightings: HookSighting[],
): Check[] {
  const states = inspect(text, command);
  return [
    ok('Claude Code', `${states.length} hooks in ${file}`),
    ...states.map(({ event, state }) => {
      const name = `  ${event}`;
      if (state !== 'installed') return warn(name, state, CURE);
      const tried = tryHook(call, command(event));
      if (!tried.works) return bad(name, tried.says, CURE);
      return ok(name, `${lastSeen(call, sightings, event)}, takes ${tried.ms.toFixed(1)} ms`);
    }),
  ];
}

function lastSeen({ now }: Call, sightings: HookSighting[], event: string): string {
  const times = sightings.filter(({ agent, hook }) => agent === 'claude-code' && hook === event);
  const last = Math.max(0, ...times.map(({ lastAt }) => lastAt));
  return last ? `last ran ${when(last, now())}` : 'has not run yet';
}

/** Runs the very command of the settings, as the client would, in a home that is thrown away. */
function tryHook(
  { env }: Call,
  command: string,
): { works: true; ms: number } | { works: false; says: string } {
  const home = mkdtempSync(join(tmpdir(), 'cairn-doctor-'));
  try {
    mkdirSync(join(home, 'spool'));
    const began = process.hrtime.bigint();
    const { status, stderr } = spawnSync(command, {
      shell: true,
      input: '{"session_id":"doctor"}',
      timeout: 10_000,
      env: {
        PATH: env.searchPath,
        HOME: env.userHome,
        CLAUDECODE: '1',
        CAIRN_HOME: home,
        CAIRN_NO_WORKER: '1',
      },
    });
    const ms = Number(process.hrtime.bigint() - began) / 1e6;
    if (status !== 0)
      return { works: false, says: `ended with ${status}: ${stderr.toString().slice(0, 200)}` };
    const captured =
      readdirSync(join(home, 'spool')).length + (readdirSync(home).includes('cairn.db') ? 1 : 0);
    return captured > 0 ? { works: true, ms } : { works: false, says: 'ran, but captured nothing' };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
