import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp.ts';

const PROGRAM = join(import.meta.dirname, '../../attack/run.mjs');
const PARTS = ['kills', 'locks', 'disk', 'ids', 'hooks', 'mcp'];
const NOTHING = { lost: 0, doubled: 0, executed: 0, hung: 0, crashed: 0, findings: [] };

interface PartResult {
  name: string;
  tried: number;
  skipped?: string;
}

test('a small round of attacks breaks nothing and leaves nothing behind', async () => {
  const temporary = tempFolder();
  const args = ['--seed', '7', '--events', '40', '--minutes', '2', '--only', PARTS.join(','), '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, TMPDIR: temporary },
  });
  const report = JSON.parse(stdout) as { seed: number; failed: boolean; results: PartResult[] };
  expect(report).toMatchObject({
    seed: 7,
    failed: false,
    results: PARTS.map((name) => ({ name, ...NOTHING })),
  });
  const idle = report.results.filter(({ tried, skipped }) => tried === 0 && skipped === undefined);
  expect(idle).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('an unknown part is a usage error', async () => {
  const run = promisify(execFile)(process.execPath, [PROGRAM, '--only', 'frob']);
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown part: frob.'),
  });
});
