import { drain } from '../capture/drain.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { startDetached } from '../platform/detach.ts';
import { hookProgram } from '../platform/installation.ts';
import { createLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { createHookIo } from './io.ts';
import { runHook } from './run.ts';

/** The hook process: `<agent> <event> <via>` answers a hook, `drain` empties the spool, `wake` starts that. */
const [first = '', hook = '', via = 'unknown', state] = process.argv.slice(2);
const env = readEnvironment();

if (first === 'wake') startDetached(process.execPath, [hookProgram(), 'drain']);
else if (first === 'drain') drainSpool();
else {
  const io = createHookIo();
  io.hold('on first use');
  runHook({ agent: first, hook, via, notHandedOver: state === 'not-handed-over' }, io, env).catch(() =>
    io.exit(0),
  );
}

function drainSpool(): void {
  const paths = pathsOf(env.cairnHome);
  const { settings } = loadSettings(paths.config, env);
  const log = createLog({ folder: paths.logs, level: settings['log.level'], from: 'drain' });
  drain({ paths, settings, log });
}
