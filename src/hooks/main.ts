import { readEnvironment } from '../config/environment.ts';
import { createHookIo } from './io.ts';
import { runHook } from './run.ts';

/**
 * The hook program. Its arguments are `<agent> <event> <via>` and whether capture.sh has written the event to a spool
 * file, which is then on stdin.
 */
const [agent = '', hook = '', via = 'unknown', state, spoolName = ''] = process.argv.slice(2);

const io = createHookIo(process, { stdin: 0, stdout: 1, stderr: 2 });
io.hold('on first use');
const byShell =
  state === 'handed-over' ? { spoolName } : state === 'not-handed-over' ? ('failed' as const) : undefined;
runHook({ agent, hook, via, byShell }, io, readEnvironment()).catch(() => io.exit(0));

export function hasAnswered(): boolean {
  return io.emits.some(({ intent }) => intent === 'MODEL_CONTEXT');
}
