import { cliProgram } from '../../platform/installation.ts';
import { openBrowser } from '../open.ts';
import type { Call } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import type { TourSandbox } from './sandbox.ts';
import { runTimed } from './timed-run.ts';

/** Opens the viewer on the sample project, or prints its address. */
export async function showViewer(call: Call, sandbox: TourSandbox, isWatched: boolean): Promise<void> {
  const { out, paint } = call;
  const { link, origin } = await requestLink(sandbox);
  const [project] = withMemory(sandbox.callOf([]), (store) => store.listProjects());
  const place = `${link}/?project=${project?.id ?? 1}`;
  out('  Everything above, in a browser: the feed, what the agent was given and why, search, the week.');
  if (isWatched && openBrowser(call, place)) {
    out(`  Opened the viewer: ${paint.cyan(origin)}`);
    return;
  }
  out(`  ${paint.cyan(place)}`);
  out(
    paint.dim(
      isWatched
        ? '  Open this link within a minute; it works once.'
        : '  The link works while the tour runs; without --once the tour stays until you end it.',
    ),
  );
}

/** In a separate process: a worker started by this one would belong to the person's home. */
async function requestLink({ project, searchPath, userHome }: TourSandbox) {
  const { exitCode, stdout, stderr } = await runTimed(process.execPath, [cliProgram(), 'open', '--json'], {
    cwd: project,
    env: { PATH: searchPath, HOME: userHome },
  });
  if (exitCode !== 0) throw new Error(`cairn open ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as { link: string; origin: string };
}
