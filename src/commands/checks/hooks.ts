import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentById } from '../../agents/all.ts';
import type { AgentInstaller, InstallPart } from '../../agents/install/agent-installer.ts';
import { formatAge } from '../../context/words.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { HookActivity } from '../../store/types/session.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { createForeignFileCheck } from './foreign-file.ts';

/** Runs each hook in one file of an agent once, and shows its last real run. */
export function checkHooks(
  call: Call,
  installer: AgentInstaller,
  { path, label, hooks, inspect }: InstallPart,
  sightings: HookActivity[],
): Check[] {
  const state = inspect(readRegularText(path, CONFIG_LIMIT));
  if (state === 'foreign') return [createForeignFileCheck(installer, path)];
  const fix = `Run: cairn install ${installer.id}`;
  // A plugin calls hooks itself.
  if (!hooks) {
    if (state !== 'installed') return [warn(installer.name, `${label} in ${path} is ${state}`, fix)];
    return [ok(installer.name, `${label} in ${path}, ${lastSeen(call, installer, sightings)}`)];
  }
  return [
    ok(installer.name, `${label} in ${path}`),
    ...hooks.inspect(readRegularText(path, CONFIG_LIMIT)).map(({ event, state }) => {
      const name = `  ${event}`;
      if (state !== 'installed') return warn(name, state, fix);
      const tried = tryHook(call, installer, hooks.command(event));
      if (!tried.works) return bad(name, tried.message, fix);
      return ok(name, `${lastSeen(call, installer, sightings, event)}, takes ${tried.ms.toFixed(1)} ms`);
    }),
  ];
}

/** The last run at one event, or at any event. */
function lastSeen({ now }: Call, { id }: AgentInstaller, sightings: HookActivity[], event?: string): string {
  const times = sightings.filter(({ agent, hook }) => agent === id && (!event || hook === event));
  const last = Math.max(0, ...times.map(({ lastAt }) => lastAt));
  return last ? `last ran ${formatAge(last, now())}` : 'has not run yet';
}

/** Runs the exact command from the settings, as the client would, but with a temporary home. */
function tryHook(
  { env }: Call,
  { id }: AgentInstaller,
  command: string,
): { works: true; ms: number } | { works: false; message: string } {
  const home = mkdtempSync(join(tmpdir(), 'cairn-doctor-'));
  const marker = agentById(id)?.hooks.marker;
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
        ...(marker && { [marker]: '1' }),
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
