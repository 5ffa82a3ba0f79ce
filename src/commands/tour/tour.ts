import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cairnCommand } from '../../platform/cairn-command.ts';
import { packageRoot } from '../../platform/installation.ts';
import { command as install } from '../install.ts';
import { type Call, type Command, CommandError } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { readCapturedSession, showCapturedSession, showRedaction } from './captured-session.ts';
import { showContinuation } from './continuation.ts';
import { endWorker, showNewMemories } from './new-memories.ts';
import { showNextSession } from './next-session.ts';
import { countHooks } from './play.ts';
import { createSandbox, type TourSandbox } from './sandbox.ts';
import { playSession, showMedians } from './session.ts';
import { showViewer } from './viewer.ts';

export const command: Command = {
  name: 'tour',
  summary: 'Replay a recorded session through the real hooks, in a temporary home',
  usage: 'tour [--once]',
  help: [
    'Does not touch your own files. Opens the viewer on the sample project and, on a terminal, keeps it open until you',
    'stop it. With --once, or without a browser, it prints the link instead.',
  ].join('\n'),
  options: { once: { type: 'boolean' } },
  async run(call) {
    if (process.platform === 'win32')
      throw new CommandError('The tour needs a POSIX shell. Your agent does not: cairn install claude-code');
    const stop = new AbortController();
    const interrupt = () => stop.abort();
    for (const signal of SIGNALS) process.on(signal, interrupt);
    const sandbox = createSandbox(call);
    try {
      await walk(call, sandbox, stop.signal);
      if (isWatched(call)) await waitForEnter(call, sandbox, stop.signal);
      return 0;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      return 130;
    } finally {
      await endWorker(sandbox.callOf([]));
      await sandbox.remove();
      for (const signal of SIGNALS) process.off(signal, interrupt);
    }
  },
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function walk(call: Call, sandbox: TourSandbox, signal: AbortSignal): Promise<void> {
  const { out, paint } = call;
  const heading = (text: string) => out(`\n${paint.bold(text)}`);

  out(paint.bold('Cairn: memory for AI coding agents'));
  out('This plays a session recorded with the real Claude Code through the hooks of Cairn, as the agent');
  out('would call them. Your own files are not touched; everything happens in');
  out(`  ${paint.cyan(sandbox.root)}`);

  heading('1. Connect the agent');
  await install.run(sandbox.callOf(['claude-code'], { yes: true }));
  out(`  cairn install claude-code wrote ${countHooks(sandbox)} hooks to home/.claude/settings.json there`);

  heading('2. The agent works. Each line is one hook call');
  const played = await playSession(call, sandbox, signal);
  showMedians(call, played);

  const memory = sandbox.callOf([]);
  const captured = withMemory(memory, readCapturedSession);
  if (!captured) throw new Error('The tour captured nothing.');
  heading('3. What Cairn stored');
  showCapturedSession(call, captured, sandbox.project);
  heading('4. What it learned (this is called distilling)');
  await showNewMemories(call, memory);
  heading('5. What it did not store');
  if (!showRedaction(call, captured, memory.home)) throw new Error('The tour found a secret in its home.');

  heading('6. What the next session in this project gets');
  await showNextSession(call, sandbox, signal);

  heading('7. You stop in the middle, and the next session continues');
  await showContinuation(call, sandbox, signal);

  heading('8. Look at it');
  await showViewer(call, sandbox, isWatched(call));
  signal.throwIfAborted();

  heading('9. Your turn');
  showWayOn(call);
}

function showWayOn({ out, paint }: Call): void {
  const cairn = commandHere();
  const rows = [
    [`${cairn} install claude-code`, 'connect your own Claude Code; --dry-run shows the change first'],
    [`${cairn} open`, 'open the viewer on your own memory'],
    [`${cairn} status`, 'show what is stored and whether capture works'],
    [`${cairn} recent --all`, 'list recent observations and summaries'],
    [`${cairn} sessions --all`, 'list what your agent did'],
    [`${cairn} work`, 'list open work items'],
    [`${cairn} pause`, `capture nothing until: ${cairn} unpause`],
    [`${cairn} uninstall claude-code`, 'remove exactly these hooks again'],
    ...(isInClone() && cairn !== 'cairn' ? [['npm link', 'make `cairn` a command in every folder']] : []),
  ];
  const width = Math.max(...rows.map(([words = '']) => words.length));
  for (const [words = '', meaning] of rows) out(`  ${paint.bold(words.padEnd(width))}  ${meaning}`);
}

/** In a clone, npx finds the command in package.json, but only from that folder. */
function commandHere(): string {
  const command = cairnCommand();
  return command !== 'cairn' && isInClone() && process.cwd() === packageRoot() ? 'npx cairn' : command;
}

function isInClone(): boolean {
  return existsSync(join(packageRoot(), 'src', 'cli.ts'));
}

function isWatched({ isTerminal, options }: Call): boolean {
  return isTerminal && process.stdin.isTTY === true && !options.once;
}

async function waitForEnter({ out, paint }: Call, sandbox: TourSandbox, signal: AbortSignal): Promise<void> {
  const { home } = sandbox.callOf([]);
  out('\nTo look around, run in another terminal in this folder:');
  out(`  CAIRN_HOME="${home}" ${commandHere()} open`);
  out(`  CAIRN_HOME="${home}" ${commandHere()} show s1`);
  out(`Press Enter to end; this removes ${paint.cyan(sandbox.root)}`);
  const ended = new AbortController();
  const until = { signal: AbortSignal.any([signal, ended.signal]) };
  try {
    await Promise.race([once(process.stdin, 'data', until), once(process.stdin, 'end', until)]);
  } finally {
    ended.abort();
    process.stdin.pause();
  }
}
