import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { readBrokenCapture } from '../../capture/broken-capture.ts';
import { readModelProblem } from '../../capture/model-problem.ts';
import { listPauses } from '../../capture/pauses.ts';
import { listSpool, listTornFiles, sortByTime } from '../../capture/spool.ts';
import { readStall } from '../../capture/stall.ts';
import { formatAge, formatCount } from '../../context/words.ts';
import { countFailures } from '../../hooks/fail-loud.ts';
import { isMissing, readIfThere } from '../../platform/files.ts';
import type { Paths } from '../../platform/paths.ts';
import { quoteForShell } from '../../platform/shell.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { installAgain } from './program.ts';

/** Checks that events arrive. */
export function checkCapture({ paths, env, settings, now }: Call): Check[] {
  const checks: Check[] = [];
  const waiting = sortByTime(paths, listSpool(paths));
  const stalled = readStall(paths);
  if (stalled)
    checks.push(
      bad(
        'intake',
        `failed ${formatCount(stalled.count, 'time')} since ${formatAge(stalled.since, now())}: ${stalled.cause}`,
        fixFor(stalled.cause),
      ),
    );
  checks.push(
    waiting.length === 0
      ? ok('spool', 'empty')
      : warn(
          'spool',
          `${formatCount(waiting.length, 'event is', 'events are')} not stored yet, the oldest from ${formatAge(waiting[0]?.at ?? 0, now())}`,
          'The next hook or command stores them.',
        ),
  );
  const [foreign, ...others] = waiting.filter(({ name }) => !isReadable(join(paths.spool, name)));
  if (foreign)
    checks.push(
      bad(
        'spool files',
        `${formatCount(others.length + 1, 'event')} cannot be read, for example ${join(paths.spool, foreign.name)}`,
        `They were written by another user, probably with sudo. Run: sudo chown -R "$USER" ${quoteForShell(paths.spool)}`,
      ),
    );
  const torn = listTornFiles(paths).length;
  if (torn > 0)
    checks.push(
      warn(
        'torn events',
        `${formatCount(torn, 'event')} could not be read; moved to ${paths.torn}`,
        'No action needed: they are deleted after a week. Details: cairn logs --level warn',
      ),
    );
  const failed = countFailures(paths, env.runtimeDir);
  if (failed.count > 0)
    checks.push(
      bad(
        'spool write',
        `the last ${formatCount(failed.count, 'event was', 'events were')} not kept: ${failed.cause}`,
        `Make ${paths.spool} writable, or free disk space.`,
      ),
    );
  checks.push(...checkNode(paths, settings['hooks.failLoudThreshold']));
  const broken = readBrokenCapture(paths);
  if (broken)
    checks.push(
      bad(
        'hook input',
        `${broken.hook} (${broken.agent}) got no input on stdin, ${formatAge(broken.at, now())}`,
        `Run: cairn install ${broken.agent}. If that does not help, another program consumes the hook's input.`,
      ),
    );
  const model = readModelProblem(paths);
  if (model)
    checks.push(
      warn(
        'model',
        `${model.why} (${formatAge(model.since, now())})`,
        'Until this is fixed, memories are made without a model. Then run: cairn worker restart',
      ),
    );
  for (const { what, since } of listPauses(paths))
    checks.push(
      warn(
        'paused',
        `${what}, since ${formatAge(since, now())}`,
        what === 'everything' ? 'Run: cairn unpause' : 'Run: cairn unpause, with --project or --session',
      ),
    );
  return checks;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

/** Failures of node, counted by capture.sh. A single one may be chance; several in a row are not. */
function checkNode(paths: Paths, threshold: number): Check[] {
  const failures = (readIfThere(paths.nodeFailures) ?? '').split('\n').filter(Boolean);
  if (failures.length === 0) return [];
  const report = failures.length < threshold ? warn : bad;
  return [
    report(
      'answers',
      `node failed for the last ${formatCount(failures.length, 'answer')} (${failures.at(-1)}); events are kept`,
      `Run: ${installAgain(paths)}, which finds node again. Then start a session.`,
    ),
  ];
}

/** The cause includes its fix, if Cairn knows one. */
function fixFor(cause: string): string {
  if (cause.includes('cairn-memory@latest')) return 'Events are safe in the spool until then.';
  return 'Events are safe in the spool. Free disk space or stop the program that locks the database, then run: cairn status';
}
