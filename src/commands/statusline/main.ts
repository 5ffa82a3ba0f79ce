import { readEnvironment } from '../../config/environment.ts';
import { createHookIo } from '../../hooks/io.ts';
import { configureCairnCommand } from '../../platform/cairn-command.ts';
import { isWaitingForFolder } from '../../platform/folder-answers.ts';
import { pathsOf } from '../../platform/paths.ts';
import { buildStatusLine } from './line.ts';

/** The status line program: `statusline [previous command]`. */
const io = createHookIo(process, { stdin: 0, stdout: 1, stderr: 2 });
io.hold('on first use');
io.failOpen(() => {});
draw().catch(() => io.exit(0));

async function draw(): Promise<void> {
  const input = await io.readInput();
  const env = readEnvironment();
  configureCairnCommand({ ...env, launcher: pathsOf(env.cairnHome).launcher });
  const line = await buildStatusLine({ input, theirs: process.argv[3], env });
  io.reply({ stdout: `${line}\n`, stderr: '', exitCode: 0, leftOut: [] }, 'USER_HINT');
  if (isWaitingForFolder()) io.abandon();
  else io.exit();
}

export function hasAnswered(): boolean {
  return io.emits.some(({ intent }) => intent === 'USER_HINT');
}
