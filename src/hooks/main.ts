import { readEnvironment } from '../config/environment.ts';
import { createHookIo } from './io.ts';
import { runHook } from './run.ts';

/** The hook process: `<agent> <event> <via>`, and whether the shell program could not hand the event over. */
const [agent = '', hook = '', via = 'unknown', state] = process.argv.slice(2);

const io = createHookIo(process, { stdin: 0, stdout: 1, stderr: 2 });
io.hold('on first use');
runHook({ agent, hook, via, notHandedOver: state === 'not-handed-over' }, io, readEnvironment()).catch(() =>
  io.exit(0),
);
