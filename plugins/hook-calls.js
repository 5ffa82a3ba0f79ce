// What plugins in JavaScript share. `cairn install` copies it into each plugin, so that a plugin is one file: no error
// and no delay of Cairn may reach the agent.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Filled in by `cairn install`: the agent, the home of Cairn, and the commands of its hooks and its MCP server. */
export const { agent, home, command, server } = JSON.parse('@SETTINGS@');

const ANSWER_MS = 3_000;
/** The limit that agents with hooks in their settings are given there. */
const HOOK_MS = 5_000;
const ORPHAN_MS = 20_000;
export const ENDING_MS = 1_000;

/** Whether Cairn is still there: an agent works on as if nothing were if it was deleted by hand. */
export function isConnected() {
  return !process.env.CAIRN_GUARD && existsSync(join(home, 'capture.sh'));
}

/** Runs the hook program with a payload. @returns the context for the model, or nothing after the deadline. */
export function ask({ folder, event, payload, deadline = ANSWER_MS }) {
  if (!isConnected()) return Promise.resolve('');
  return new Promise((resolve) => {
    const [program, ...args] = command;
    const child = spawn(program, [...args, agent, event, 'settings'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        ...process.env,
        CAIRN_HOME: home,
        CLAUDE_PROJECT_DIR: folder,
        CAIRN_AGENT_PID: String(process.pid),
      },
    });
    const chunks = [];
    const limit = setTimeout(() => {
      resolve('');
      // A slow machine may still store what the hook has to store, but that must not keep the agent from ending.
      child.stdout.destroy();
      child.unref();
      setTimeout(() => child.kill(), ORPHAN_MS).unref?.();
    }, deadline);
    limit.unref?.();
    child.on('error', () => resolve(''));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.on('close', () => {
      clearTimeout(limit);
      resolve(contextIn(Buffer.concat(chunks).toString('utf8')));
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

function contextIn(printed) {
  try {
    return JSON.parse(printed).context ?? '';
  } catch {
    return '';
  }
}

/** Writes an event that needs no answer into the spool, as capture.sh does. */
export function record({ folder, event, payload }) {
  if (!isConnected()) return;
  // Only the hook program knows what is paused.
  if (existsSync(join(home, 'paused'))) {
    ask({ folder, event, payload });
    return;
  }
  const name = `none.${randomUUID()}`;
  const path = join(home, 'spool', name);
  const place = folder.includes('\n') ? '' : folder;
  const file = `cairn1 ${agent} ${event} settings ${place}\n${JSON.stringify(payload)}\n#${name}\n`;
  try {
    mkdirSync(join(home, 'spool'), { recursive: true, mode: 0o700 });
    writeFileSync(path, file, { flag: 'wx', mode: 0o600 });
  } catch {
    rmSync(path, { force: true });
  }
}

/** A hook that neither throws nor hangs. */
export function safely(hook) {
  return async (...args) => {
    let limit;
    const end = new Promise((resolve) => {
      limit = setTimeout(resolve, HOOK_MS);
      limit.unref?.();
    });
    try {
      return await Promise.race([hook(...args), end]);
    } catch {
      // The agent must not notice.
    } finally {
      clearTimeout(limit);
    }
  };
}
