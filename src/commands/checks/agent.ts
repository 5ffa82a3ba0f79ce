import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentInstaller } from '../../agents/install/agent-installer.ts';
import { installers } from '../../agents/install/installers.ts';
import { InvalidJsonError, parseJsonText } from '../../agents/install/json-text.ts';
import { findNotPlain, NotPlainJsonError } from '../../agents/install/plain-json.ts';
import { listRecordedFiles } from '../../agents/install/record.ts';
import { formatAge } from '../../context/words.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { CONFIG_LIMIT, readRegularIfThere } from '../../platform/read-regular-file.ts';
import type { HookActivity } from '../../store/types/session.ts';
import type { Call } from '../support/command.ts';
import { buildCaptureCommand } from '../support/install-target.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { checkServer } from './mcp-server.ts';
import { checkSlashCommands } from './slash-commands.ts';

/** The agents' side: which hooks are in their settings, whether they run, when they last ran. */
export function checkAgents(call: Call, sightings: HookActivity[]): Check[] {
  return installers.flatMap((installer) => checkAgent(call, installer, sightings));
}

function checkAgent(call: Call, installer: AgentInstaller, sightings: HookActivity[]): Check[] {
  const { env } = call;
  const { name, settingsPath, configPath, enabledPlugin } = installer;
  const top = findCheckout(process.cwd())?.top ?? process.cwd();
  const files = [settingsPath(env), settingsPath({ ...env, project: top })];
  const { texts, problems } = readSettingsFiles(installer, files);
  const config = readAll(installer, [configPath(env)]);
  if (problems.length + config.problems.length > 0) return [...problems, ...config.problems];

  const checks: Check[] = [...checkHooksAreOn(installer, texts), ...checkTrust(call, installer, top)];
  const command = buildCaptureCommand(call, installer).command;
  const here = texts.filter(({ text }) => isConnected(installer, text, command));
  const plugin = texts.map(({ text }) => enabledPlugin(text)).find((name) => name !== undefined);
  if (plugin) checks.push(ok(name, `plugin ${plugin}`));
  if (here.length === 0 && !plugin) return [...checks, warn(name, 'not connected', fixFor(installer))];
  for (const { file, text } of here)
    checks.push(
      ...checkEntries(call, installer, { file, text }, command, sightings),
      checkSlashCommands(call, installer, file),
    );
  return [...checks, ...checkServer(call, installer)];
}

/** Only whether the settings contain hooks of Cairn; none of them is run. */
export function checkConnections(call: Call, sightings: HookActivity[]): Check[] {
  return installers.flatMap((installer) => checkConnection(call, installer, sightings));
}

function checkConnection(call: Call, installer: AgentInstaller, sightings: HookActivity[]): Check[] {
  const { env, paths } = call;
  const { id, name, settingsPath, enabledPlugin } = installer;
  const top = findCheckout(process.cwd())?.top ?? process.cwd();
  const files = [settingsPath(env), settingsPath({ ...env, project: top })];
  const { texts, problems } = readSettingsFiles(installer, files);
  if (problems.length > 0) return problems;
  const off = checkHooksAreOn(installer, texts);
  if (off.length > 0) return off;
  const command = buildCaptureCommand(call, installer).command;
  const elsewhere = readSettingsFiles(installer, listRecordedFiles(paths.installed)).texts;
  const isThere = [...texts, ...elsewhere].some(
    ({ text }) => isConnected(installer, text, command) || enabledPlugin(text) !== undefined,
  );
  // An agent that was never installed is not a problem, and other agents report without being installed.
  const isExpected =
    [paths.installed, paths.uninstalled].some((path) => existsSync(path)) &&
    sightings.every(({ agent }) => agent === id);
  if (isThere) return [];
  if (!isExpected) return sightings.length > 0 ? [] : [warn(name, 'not connected', fixFor(installer))];
  return [bad(name, `not connected: there is no hook of Cairn in ${settingsPath(env)}`, fixFor(installer))];
}

interface SettingsText {
  file: string;
  text: string | null;
}

function fixFor({ id }: AgentInstaller): string {
  return `Run: cairn install ${id}`;
}

/** Those that the agent takes its hooks from. */
function readSettingsFiles(installer: AgentInstaller, files: string[]) {
  return readAll(installer, files, (text) => {
    const rejected = installer.findRejected(text);
    if (rejected) throw rejected;
    installer.inspect(text, () => '');
  });
}

function readAll(
  installer: AgentInstaller,
  files: string[],
  check?: (text: string) => void,
): { texts: SettingsText[]; problems: Check[] } {
  const texts: SettingsText[] = [];
  const problems: Check[] = [];
  for (const file of files)
    try {
      const text = readRegularIfThere(file, CONFIG_LIMIT)?.toString('utf8') ?? null;
      if (text !== null && text.trim() !== '') parseJsonText(text);
      const extra = text === null ? null : findNotPlain(text);
      if (extra) throw extra;
      if (text !== null) check?.(text);
      texts.push({ file, text });
    } catch (error) {
      problems.push(createUnreadableCheck(installer, file, error));
    }
  return { texts, problems };
}

function createUnreadableCheck(installer: AgentInstaller, file: string, error: unknown): Check {
  const { name } = installer;
  const place = error instanceof InvalidJsonError ? `:${error.line}:${error.column}` : '';
  const message = `${file}${place}: ${error instanceof Error ? error.message : error}`;
  if (error instanceof NotPlainJsonError)
    return bad(name, `${message}, so ${name} ignores the whole file`, `${fixFor(installer)} --fix-settings`);
  return bad(name, message, 'Correct this place in the file.');
}

function isConnected(
  { inspect }: AgentInstaller,
  text: string | null,
  command: (event: string) => string,
): boolean {
  return inspect(text, command).some(({ state }) => state !== 'missing');
}

function checkHooksAreOn({ name, hooksAreOff }: AgentInstaller, texts: SettingsText[]): Check[] {
  const off = texts.find(({ text }) => hooksAreOff(text));
  return off
    ? [bad(name, `"disableAllHooks" is on in ${off.file}`, 'Remove it there: no hook runs until then.')]
    : [];
}

/** In an untrusted folder the agent asks first and runs no hooks. */
function checkTrust({ env }: Call, installer: AgentInstaller, folder: string): Check[] {
  const text = readAll(installer, [installer.configPath(env)]).texts[0]?.text;
  if (typeof text !== 'string' || !installer.isUntrusted(text, folder)) return [];
  const problem = `${folder} is not trusted yet, so no hook runs there`;
  return [warn(installer.name, problem, `Start ${installer.program} there once and accept.`)];
}

function checkEntries(
  call: Call,
  installer: AgentInstaller,
  { file, text }: SettingsText,
  command: (event: string) => string,
  sightings: HookActivity[],
): Check[] {
  const states = installer.inspect(text, command);
  return [
    ok(installer.name, `${states.length} hooks in ${file}`),
    ...states.map(({ event, state }) => {
      const name = `  ${event}`;
      if (state !== 'installed') return warn(name, state, fixFor(installer));
      const tried = tryHook(call, command(event));
      if (!tried.works) return bad(name, tried.message, fixFor(installer));
      return ok(name, `${lastSeen(call, installer, sightings, event)}, takes ${tried.ms.toFixed(1)} ms`);
    }),
  ];
}

function lastSeen({ now }: Call, { id }: AgentInstaller, sightings: HookActivity[], event: string): string {
  const times = sightings.filter(({ agent, hook }) => agent === id && hook === event);
  const last = Math.max(0, ...times.map(({ lastAt }) => lastAt));
  return last ? `last ran ${formatAge(last, now())}` : 'has not run yet';
}

/** Runs the exact command from the settings, as the client would, in a temporary home. */
function tryHook(
  { env }: Call,
  command: string,
): { works: true; ms: number } | { works: false; message: string } {
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
      return { works: false, message: `ended with ${status}: ${stderr.toString().slice(0, 200)}` };
    const captured =
      readdirSync(join(home, 'spool')).length + (readdirSync(home).includes('cairn.db') ? 1 : 0);
    return captured > 0 ? { works: true, ms } : { works: false, message: 'ran, but captured nothing' };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
