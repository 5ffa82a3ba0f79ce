import { readEnvironment } from '../../config/environment.ts';
import { createHookIo } from '../../hooks/io.ts';
import { isWaitingForFolder } from '../../platform/folder-answers.ts';
import { suggestFiles } from './suggest.ts';

/** The file suggestion program: `suggest-files [previous command]`. */
const io = createHookIo(process, { stdin: 0, stdout: 1, stderr: 2 });
io.hold('on first use');
io.failOpen(() => {});
suggest().catch(() => io.exit(0));

async function suggest(): Promise<void> {
  const input = await io.readInput();
  const files = await suggestFiles({ input, theirs: process.argv[3], env: readEnvironment() });
  const stdout = files.map((file) => `${file}\n`).join('');
  io.reply({ stdout, stderr: '', exitCode: 0, leftOut: [] }, 'USER_HINT');
  if (isWaitingForFolder()) io.abandon();
  else io.exit();
}

export function hasAnswered(): boolean {
  return io.emits.some(({ intent }) => intent === 'USER_HINT');
}
