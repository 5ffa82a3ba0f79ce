import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { registeredEvents } from '../../agents/claude-code/events.ts';
import { packageRoot } from '../../platform/installation.ts';
import { type Call, type Command, CommandError } from '../command.ts';
import { command as install } from '../install.ts';
import { withMemory } from '../memory.ts';
import { readCaptured, showCaptured, showRedaction } from './captured.ts';
import { showGoingOn } from './goes-on.ts';
import { endWorker, showLearnt } from './learnt.ts';
import { showNextSession } from './next-session.ts';
import { playSession, showMedians } from './session.ts';
import { makeWorld, type TourWorld } from './world.ts';

export const command: Command = {
  name: 'tour',
  summary: 'See Cairn at work: a recorded session through the real hooks, in a throw-away home',
  usage: 'tour [--once]',
  help: 'Nothing of yours is touched. On a terminal it waits at the end, so that you can look around; --once does not.',
  options: { once: { type: 'boolean' } },
  async run(call) {
    if (process.platform === 'win32')
      throw new CommandError('The tour needs a POSIX shell. Your agent does not: cairn install claude-code');
    const stop = new AbortController();
    const interrupt = () => stop.abort();
    for (const signal of SIGNALS) process.on(signal, interrupt);
    const world = makeWorld(call);
    try {
      await walk(call, world, stop.signal);
      if (isWatched(call)) await waitForEnter(call, world, stop.signal);
      return 0;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      return 130;
    } finally {
      await endWorker(world.callOf([]));
      await world.remove();
      for (const signal of SIGNALS) process.off(signal, interrupt);
    }
  },
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function walk(call: Call, world: TourWorld, signal: AbortSignal): Promise<void> {
  const { out, paint } = call;
  const heading = (text: string) => out(`\n${paint.bold(text)}`);

  out(paint.bold('Cairn: memory for AI coding agents'));
  out('A session that was recorded with the real Claude Code goes through the hooks of Cairn, just as the');
  out('agent would call them. Nothing of yours is touched; all of it happens in');
  out(`  ${paint.cyan(world.root)}`);

  heading('1. Connect the agent');
  await install.run(world.callOf(['claude-code'], { yes: true }));
  out(
    `  cairn install claude-code wrote ${registeredEvents.length} hooks to home/.claude/settings.json there`,
  );

  heading('2. The agent works. Each line is a hook that it runs and waits for');
  const played = await playSession(call, world, signal);
  showMedians(call, played);

  const memory = world.callOf([]);
  const captured = withMemory(memory, readCaptured);
  if (!captured) throw new Error('The tour captured nothing.');
  heading('3. What Cairn kept of it');
  showCaptured(call, captured, world.project);
  heading('4. What it learnt');
  await showLearnt(call, memory);
  heading('5. What it did not keep');
  if (!showRedaction(call, captured, memory.home)) throw new Error('The tour found a secret in its home.');

  heading('6. What the next session in this project is given');
  await showNextSession(call, world, signal);

  heading('7. You stop in the middle, and the work goes on');
  await showGoingOn(call, world, signal);

  heading('8. Your turn');
  showWayOn(call);
}

function showWayOn({ out, paint }: Call): void {
  const cairn = howToCall();
  const row = (words: string, meaning: string) => out(`  ${paint.bold(words.padEnd(34))} ${meaning}`);
  row(`${cairn} install claude-code`, 'connects your own Claude Code; --dry-run shows the change first');
  row(`${cairn} status`, 'what is kept, and whether capture works');
  row(`${cairn} recent --all`, 'what was learnt and done');
  row(`${cairn} sessions --all`, 'what your agent did');
  row(`${cairn} work`, 'what is under way');
  row(`${cairn} pause`, `captures nothing until: ${cairn} resume`);
  row(`${cairn} uninstall claude-code`, 'takes exactly these hooks out again');
  if (cairn !== 'cairn') row('npm link', 'makes `cairn` a command in every folder, if you like');
}

/** In a clone npx finds the command in package.json, in that folder only. */
function howToCall(): string {
  const root = packageRoot();
  if (!existsSync(join(root, 'src', 'cli.ts'))) return 'cairn';
  return process.cwd() === root ? 'npx cairn' : `node ${join(root, 'dist', 'cli.mjs')}`;
}

function isWatched({ isTerminal, options }: Call): boolean {
  return isTerminal && process.stdin.isTTY === true && !options.once;
}

async function waitForEnter({ out, paint }: Call, world: TourWorld, signal: AbortSignal): Promise<void> {
  const { home } = world.callOf([]);
  out('\nTo look around in what was kept, in another terminal in this folder:');
  out(`  CAIRN_HOME="${home}" ${howToCall()} show s1`);
  out(`Press Enter to end; ${paint.cyan(world.root)} is removed then.`);
  const ended = new AbortController();
  const until = { signal: AbortSignal.any([signal, ended.signal]) };
  try {
    await Promise.race([once(process.stdin, 'data', until), once(process.stdin, 'end', until)]);
  } finally {
    ended.abort();
    process.stdin.pause();
  }
}
