import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { registeredEvents } from '../../src/agents/claude-code/events.ts';
import { tempFolder } from '../support/temp.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

test.skipIf(process.platform === 'win32')('the tour shows all steps and leaves nothing behind', async () => {
  const { tour, left } = startTour();
  const [stdout, stderr, exitCode] = await Promise.all([read(tour.stdout), read(tour.stderr), endOf(tour)]);
  expect({ exitCode, stderr, left: left() }).toEqual({ exitCode: 0, stderr: '', left: NOTHING });
  expect(stdout.match(/^\d\. .+$/gm)).toEqual([
    '1. Connect the agent',
    '2. The agent works. Each line is one hook call',
    '3. What Cairn stored',
    '4. What it learned (this is called distilling)',
    '5. What it did not store',
    '6. What the next session in this project gets',
    '7. You stop in the middle, and the next session continues',
    '8. Look at it',
    '9. Your turn',
  ]);
  for (const pattern of MUST_SAY) expect(stdout).toMatch(pattern);
  expect(stdout).not.toContain('\u001b[');
});

test.skipIf(process.platform === 'win32')('Ctrl-C ends the tour and leaves nothing behind', async () => {
  const { tour, left } = startTour();
  tour.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (chunk.includes('UserPromptSubmit')) tour.kill('SIGINT');
  });
  const [stderr, exitCode] = await Promise.all([read(tour.stderr), endOf(tour)]);
  expect({ exitCode, stderr, left: left() }).toEqual({ exitCode: 130, stderr: '', left: NOTHING });
});

const NOTHING = { home: [], tmp: [], cwd: [] };

const MUST_SAY = [
  new RegExp(`wrote ${registeredEvents.length} hooks to`),
  / ms +\d+\.\d ms {2}SessionStart +startup\n +you would read: Cairn is on\./,
  / ms +\d+\.\d ms {2}UserPromptSubmit +“the discount test fails, fix it”\n/,
  / ms +\d+\.\d ms {2}PreToolUse +Read src\/discount\.js\n/,
  / ms +\d+\.\d ms {2}SessionEnd +/,
  /\/bin\/true +\d+\.\d ms {2}the hook takes \d+\.\d+ × as long/,
  /node -e 0 +\d+\.\d ms {2}the hook takes \d+\.\d+ × as long/,
  /prompts +1\. the discount test fails, fix it\n +2\. add a test for zero percent and commit it\n/,
  /calls +6 × Bash \(2 failed\)\n +2 × Read\n +3 × Edit\n/,
  /files changed .*src\/discount\.js/,
  /#\d+ bugfix {2}.+\n/,
  /#\d+ summary {2}of the last turn\n +request: add a test for zero percent and commit it\n/,
  /Cairn kept +PAYMENT_KEY=\[redacted:[\w-]+\]\n {2}1 secret redacted; the key is in none of the \d+ files/,
  /the model reads\n +<cairn-context>\n.+ Left open:\n.+ Last session:\n.+ Worth knowing:\n +#\d+ (?:bugfix|decision), .+<\/cairn-context>\n/s,
  /you read\n +Cairn: gave the agent \d memories \(\d in full\), \d+ tokens\. See: cairn open\n/,
  /Saved handoff discount-test-fails\/1\..+Work in progress: discount-test-fails: .+Handed off.+\[ \] 1 Refuse a discount above 100 percent\n/s,
  /in a browser: .+\n {2}http:\/\/127\.0\.0\.1:\d+\/open#[\w-]{20,}\/\?project=1\n.+works while the tour runs/,
  /^ {2}cairn install claude-code +connect your own Claude Code/m,
];

function startTour() {
  const root = tempFolder();
  const places = { home: join(root, 'home'), tmp: join(root, 'tmp'), cwd: join(root, 'cwd') };
  for (const folder of Object.values(places)) mkdirSync(folder);
  const tour = spawn(process.execPath, [CLI, 'tour', '--once'], {
    cwd: places.cwd,
    env: { PATH: process.env.PATH, HOME: places.home, TMPDIR: places.tmp },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const left = () =>
    Object.fromEntries(Object.entries(places).map(([name, folder]) => [name, readdirSync(folder)]));
  return { tour, left };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve));
}

function read(stream: ChildProcess['stdout']): Promise<string> {
  return stream ? text(stream) : Promise.resolve('');
}
