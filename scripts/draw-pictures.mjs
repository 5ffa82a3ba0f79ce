// `npm run pictures` makes every picture of the README: hook-time.svg is drawn from the measurements in
// docs/benchmarks.md, next-session.svg is recorded from a session of the real client (needs tmux), and the pictures of
// the viewer are screenshots taken with Chromium.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { writeHookPicture } from '../bench/hook-picture.mjs';

writeHookPicture();
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', 'e2e', 'test/e2e/pictures.test.ts', 'test/e2e/viewer-pictures.test.ts'],
  {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...process.env, CAIRN_RECORD: '1' },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
