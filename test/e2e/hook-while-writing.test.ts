import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { cairn } from '../support/home-watch.ts';
import { callHook, type HookWorld, makeHookWorld, recorded } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';
import { until } from '../support/until.ts';

const PACKAGE = new URL('../../package.json', import.meta.url).href;

test('a prompt and a session start are answered while another process holds the database', async () => {
  const world = makeHookWorld(tempFolder());
  await cairn(world, 'remember', 'The apple press drops its screws when it runs dry.');
  const release = await holdDatabase(world);
  try {
    expect(await answerTo(world, 'UserPromptSubmit')).toContain('drops its screws');
    expect(await answerTo(world, 'SessionStart')).toContain('drops its screws');
  } finally {
    await release();
  }
});

/** On a busy machine an answer may come too late; then the next prompt gets one. */
function answerTo(world: HookWorld, event: 'UserPromptSubmit' | 'SessionStart'): Promise<string> {
  const payload = event === 'SessionStart' ? 'events/SessionStart.startup' : 'events/UserPromptSubmit';
  return until(`an answer to ${event}`, async () => {
    const changes = { session_id: randomUUID(), cwd: world.project };
    const input = recorded(payload, {
      ...changes,
      ...(event === 'UserPromptSubmit' && { prompt: 'why does the apple press drop its screws?' }),
    });
    const { stdout } = await callHook(world, 'shell', event, { input });
    return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.additionalContext;
  });
}

/** Holds a transaction until the returned function is called. */
async function holdDatabase({ paths }: HookWorld): Promise<() => Promise<void>> {
  const program = `
    const { DatabaseSync } = require('node:module').createRequire(${JSON.stringify(PACKAGE)})('@photostructure/sqlite');
    const db = new DatabaseSync(${JSON.stringify(paths.database)});
    db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
    console.log('held');
    process.stdin.on('end', () => { db.exec('ROLLBACK'); process.exit(); }).resume();`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}
