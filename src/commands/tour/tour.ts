import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { registeredEvents } from '../../agents/claude-code/events.ts';
import { settingsPath } from '../../agents/claude-code/installer.ts';
import { shorten } from '../../context/recent-sessions.ts';
import { isObject, type Json } from '../../model/json.ts';
import { packageRoot } from '../../platform/installation.ts';
import { type Call, type Command, CommandError } from '../command.ts';
import { command as install } from '../install.ts';
import { withMemory } from '../memory.ts';
import { readCaptured, showCaptured, showRedaction } from './captured.ts';
import { gistOf } from './gist.ts';
import { milliseconds, wrap } from './layout.ts';
import { mediansOf, type Played, playCall, trueProgram } from './play.ts';
import { type RecordedCall, readRecording } from './recording.ts';
import { makeWorld, type TourWorld } from './world.ts';

export const command: Command = {
  name: 'tour',
  summary: 'See Cairn at work: a recorded session through the real hooks, in a throw-away home',
  usage: 'tour [--once]',
  help: 'It touches nothing of yours. On a terminal it waits at the end, so that you can look around; --once does not.',
  options: { once: { type: 'boolean' } },
  async run(call) {
    if (process.platform === 'win32')
      throw new CommandError(
        'The tour needs a POSIX shell. Connect your agent without it: cairn install claude-code',
      );
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
  out(`agent would call them. All of it happens in ${paint.cyan(world.root)}; nothing of yours is touched.`);

  heading('1. Connect the agent');
  await install.run(world.callOf(['claude-code'], { yes: true }));
  out(
    `  cairn install claude-code wrote ${registeredEvents.length} hooks to ${settingsPath({ userHome: world.userHome }).replace(world.root, '…')}`,
  );

  heading('2. The agent works; each line is a hook it runs and waits for');
  const played = await playSession(call, world, signal);
  showMedians(call, played);

  const memory = world.callOf([]);
  const captured = withMemory(memory, readCaptured);
  if (!captured) throw new Error('The tour captured nothing.');
  heading('3. What Cairn kept of it');
  showCaptured(call, captured, world.project);
  heading('4. What it did not keep');
  out('  One call was added to the recording: a command that prints a (made-up) key.');
  if (!showRedaction(call, captured, memory.home)) throw new Error('The tour found a secret in its home.');

  heading('5. What the next session in this project is given');
  await showNextSession(call, world, signal);

  heading('6. Your turn');
  showWayOn(call);
}

async function playSession({ out, paint }: Call, world: TourWorld, signal: AbortSignal): Promise<Played[]> {
  const all: Played[] = [];
  let unheard = 0;
  out(paint.dim(`       hook  ${'/bin/true'.padStart(9)}`));
  for (const recorded of readRecording(world)) {
    signal.throwIfAborted();
    const played = await playCall(world, recorded);
    signal.throwIfAborted();
    if (played.length === 0) unheard++;
    for (const { hook, nothingMs } of played) {
      const times = `${milliseconds(hook.ms).padStart(11)}  ${paint.dim(milliseconds(nothingMs).padStart(9))}`;
      const gist = shorten(gistOf(recorded, world.project), 54);
      out(`${times}  ${paint.cyan(recorded.event.padEnd(18))} ${gist}`);
      const { person } = answerOf(hook.stdout);
      if (person) out(paint.dim(wrap(`the person is told: ${person}`, ' '.repeat(24))));
      if (hook.exitCode !== 0)
        throw new Error(`The hook ${recorded.event} ended with ${hook.exitCode}: ${hook.stderr}`);
    }
    all.push(...played);
  }
  if (unheard)
    out(paint.dim(`  ${unheard} more events of the recording have no hook of Cairn's, so nothing ran.`));
  return all;
}

function showMedians({ out, paint }: Call, played: Played[]): void {
  const { silent, nothing, node } = mediansOf(played);
  const ratio = (part: number, whole: number) => (part / whole).toFixed(part < whole ? 2 : 1);
  out('');
  out(
    `  median of silent hooks ${paint.bold(milliseconds(silent))}: ${paint.bold(`${ratio(silent, nothing)} × ${trueProgram()}`)} (${milliseconds(nothing)}), ${paint.bold(`${ratio(silent, node)} × node -e 0`)} (${milliseconds(node)})`,
  );
  out(paint.dim('  A start of a session is answered, which takes node; all others only hand over.'));
}

async function showNextSession({ out, paint }: Call, world: TourWorld, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const payload = {
    session_id: randomUUID(),
    cwd: world.project,
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  const next: RecordedCall = { event: 'SessionStart', payload };
  const [played] = await playCall(world, next);
  const { model, person } = answerOf(played?.hook.stdout ?? '');
  out(paint.dim('  the model:'));
  out(wrap(model, '    '));
  out(paint.dim('  the person:'));
  out(wrap(person, '    '));
}

function answerOf(stdout: string): { model: string; person: string } {
  const reply: Json = stdout ? JSON.parse(stdout) : {};
  const { systemMessage, hookSpecificOutput } = isObject(reply) ? reply : {};
  const model = isObject(hookSpecificOutput) ? hookSpecificOutput.additionalContext : undefined;
  return {
    model: typeof model === 'string' ? model : '',
    person: typeof systemMessage === 'string' ? systemMessage : '',
  };
}

function showWayOn({ out, paint }: Call): void {
  const cairn = existsSync(join(packageRoot(), 'src')) ? 'node dist/cli.mjs' : 'cairn';
  const row = (words: string, meaning: string) =>
    out(`  ${paint.bold(`${cairn} ${words}`.padEnd(40))} ${meaning}`);
  row('install claude-code', 'connects your own Claude Code; --dry-run shows the change');
  row('status', 'what is kept, and whether capture works');
  row('sessions', 'the sessions of the project you are in');
  row('pause', 'captures nothing until: resume');
  row('uninstall claude-code', 'takes exactly those hooks out again');
}

function isWatched({ isTerminal, options }: Call): boolean {
  return isTerminal && process.stdin.isTTY === true && !options.once;
}

async function waitForEnter({ out, paint }: Call, world: TourWorld, signal: AbortSignal): Promise<void> {
  out(`\nPress Enter to end; the tour's home ${paint.cyan(world.root)} is then removed.`);
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  try {
    await Promise.race([
      once(process.stdin, 'data', { signal: both }),
      once(process.stdin, 'end', { signal: both }),
    ]);
  } finally {
    ended.abort();
    process.stdin.pause();
  }
}
