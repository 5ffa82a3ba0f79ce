import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { checkCommand, checkHook } from '../checks.mjs';
import { compareWithStore } from '../database.mjs';
import { createEvents } from '../events.mjs';
import { inParallel } from '../process.mjs';
import { callHook, drain, runCairn } from '../sandbox.mjs';
import { isInSpool } from '../spool.mjs';

const DISK_MB = 24;
const AT_ONCE = 3;
const ROUNDS = 4;
/** Bytes that stay free: none, less than a block, or enough for only some writes of an event. */
const SPARE = [0, 0, 4_096, 16_384, 131_072];

/**
 * Cairn's home is a small disk that is filled repeatedly while events arrive. On a full disk an event counts as
 * accepted when its spool file is complete; on a disk with room, when its hook has ended.
 */
export async function attack({ tally, random, deadline, events: count, openSandbox }) {
  if (process.getuid() !== 0) return { skipped: 'mounting a small disk takes root' };
  let sandbox;
  try {
    sandbox = openSandbox('disk', { prepare: mountSmallDisk });
  } catch (error) {
    return { skipped: `no small disk could be mounted: ${String(error.message).split('\n')[0]}` };
  }
  const filler = join(sandbox.home, 'filler');
  const sent = [];
  const accepted = [];

  for (let round = 0; round < ROUNDS && Date.now() < deadline; round++) {
    for (const isFull of [false, true]) {
      if (isFull) fillDisk(filler, random.pick(SPARE));
      const some = createEvents(random, Math.max(6, Math.ceil(count / 60)), {
        cwd: sandbox.project,
        label: `round ${round} ${isFull ? 'full' : 'free'}`,
      });
      await inParallel(AT_ONCE, some, deadline, async (item) => {
        const { event, payload, session } = item;
        tally.count('tried');
        sent.push(item);
        const size = random.below(30_000);
        const result = await callHook(sandbox, event, { ...payload, padding: 'x'.repeat(size) }, { session });
        const isFine = checkHook(tally, `${event}, disk full: ${isFull}`, result, { mayWarn: isFull });
        if (isFine && (!isFull || isInSpool(sandbox.home, item.find))) accepted.push(item);
      });
      for (const args of [['status'], ['search', 'round']])
        checkCommand(tally, `${args[0]}, disk full: ${isFull}`, await runCairn(sandbox, args), {
          mayFail: isFull,
        });
      fs.rmSync(filler, { force: true });
    }
  }
  tally.count('accepted', accepted.length);
  if (!(await drain(sandbox))) tally.fail('hung', 'the spool was not ingested after the disk had room again');
  compareWithStore(tally, sandbox.home, { sent, accepted });
}

function mountSmallDisk(folder) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=700`, 'cairn-attack', folder], {
    stdio: 'pipe',
  });
  return () => execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
}

function fillDisk(filler, spare) {
  const file = fs.openSync(filler, 'w');
  try {
    for (const size of [1024 * 1024, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
    fs.ftruncateSync(file, Math.max(0, fs.fstatSync(file).size - spare));
  } finally {
    fs.closeSync(file);
  }
}

function writeUntilFull(file, block) {
  try {
    while (fs.writeSync(file, block) > 0);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}
