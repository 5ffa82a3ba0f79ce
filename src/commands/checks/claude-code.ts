import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
import { when } from '../../context/words.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import type { HookSighting } from '../../store/store.ts';
import type { Call } from '../command.ts';
import { captureCommand } from '../install-target.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { checkServer } from './mcp-server.ts';
import { checkSlashCommands } from './slash-commands.ts';

/** Claude Code's side: which hooks are in its settings, whether they run, when they last did. */
export function checkClaudeCode(call: Call, sightings: HookSighting[]): Check[] {
  const { env } = call;
  const top = findCheckout(process.cwd())?.top ?? process.cwd();
  const files = [settingsPath(env), settingsPath({ ...env, project: top }), clientConfigPath(env)];
  const found = files.map((file) => ({ file, text: readSettings(file) }));
  const unreadable = found.find(({ text }) => text instanceof Error);
  if (unreadable)
    return [
      bad(
        'Claude Code',
        unreadable.text instanceof Error ? unreadable.text.message : '',
        'Correct the file.',
      ),
    ];
  const texts = found
    .slice(0, 2)
    .map(({ file, text }) => ({ file, text: text instanceof Error ? null : text }));

  const checks: Check[] = [];
  const off = texts.find(({ text }) => hooksAreOff(text));
  if (off)
    checks.push(
      bad(
        'Claude Code',
        `"disableAllHooks" is on in ${off.file}`,
        'Remove it there: no hook runs until then.',
      ),
    );
  checks.push(...checkTrust(call, top));

  const command = captureCommand(call).command;
  const here = texts.filter(({ text }) => inspect(text, command).some(({ state }) => state !== 'missing'));
  const plugin = texts.map(({ text }) => enabledPlugin(text)).find((name) => name !== undefined);
  if (plugin) checks.push(ok('Claude Code', `plugin ${plugin}`));
  if (here.length === 0 && !plugin)
    return [...checks, warn('Claude Code', 'not connected', 'Run: cairn install claude-code')];
  for (const { file, text } of here)
    checks.push(...checkEntries(call, file, text, command, sightings), checkSlashCommands(call, file));
  return [...checks, ...checkServer(call)];
}

function readSettings(file: string): string | null | Error {
  try {
    const text = readRegularIfThere(file, CONFIG_LIMIT)?.toString('utf8') ?? null;
    if (text !== null && text.trim() !== '') parseJsonText(text);
    return text;
  } catch (error) {
    return new Error(`${file}${placeOf(error)}: ${error instanceof Error ? error.message : error}`);
  }
}

function placeOf(error: unknown): string {
  return error instanceof UnreadableJson ? `:${error.line}:${error.column}` : '';
}

/** In a folder that was never trusted the client asks first and runs no hook before. */
function checkTrust({ env }: Call, folder: string): Check[] {
  const text = readSettings(clientConfigPath(env));
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
      const cure = 'Run: cairn install claude-code';
      if (state !== 'installed') return warn(name, state, cure);
      const tried = tryHook(call, command(event));
      if (!tried.works) return bad(name, tried.says, cure);
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
