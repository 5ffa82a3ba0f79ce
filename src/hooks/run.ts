import type { Agent } from '../agents/agent.ts';
import { agentById, findOwnSession } from '../agents/all.ts';
import { recordAgentProcess } from '../capture/agent-processes.ts';
import { openLog } from '../capture/open-log.ts';
import { takeFromOutbox, takeFromSessionOutbox } from '../capture/outbox.ts';
import { isPaused } from '../capture/pauses.ts';
import { parseSpoolFile, trySpool, writeSpoolFile } from '../capture/spool.ts';
import type { Environment } from '../config/environment.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { frameNotice } from '../framing/frame.ts';
import { toOneLine } from '../framing/stored-lines.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Framed } from '../model/framed.ts';
import type { HookReply } from '../model/hook-reply.ts';
import { isObject, type Json, parseJson } from '../model/json.ts';
import { all, block, context, nothing, notice } from '../model/reply.ts';
import { configureCairnCommand, withCairnCommand } from '../platform/cairn-command.ts';
import { errorCode } from '../platform/files.ts';
import { askFolder, isWaitingForFolder } from '../platform/folder-answers.ts';
import { describeError, type Log } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { wakeWorker } from '../platform/start-worker.ts';
import { tryLock } from '../store/sqlite/lock.ts';
import { isAnsweredBySettings } from './answered-by-settings.ts';
import { clearFailures, formatFailureMessage, recordFailure } from './fail-loud.ts';
import { handleEvent } from './handlers/all.ts';
import type { HookIo } from './io.ts';
import { openAnswers } from './open-answers.ts';
import { updateHome } from './problems.ts';

export interface HookCall {
  agent: string;
  hook: string;
  via: string;
  /** Set if capture.sh wrote the event to a spool file, or failed to, which is counted. */
  byShell?: { spoolName: string } | 'failed' | undefined;
}

/** After this time no more lookups for a reply start; the agent's own timeout is longer. */
const BUDGET_MS: Partial<Record<AgentEvent['kind'], number>> = {
  'session-start': 1_000,
  prompt: 500,
  'tool-start': 200,
  'session-end': 300,
};
const OTHER_BUDGET_MS = 500;
/** On a busy machine a reply may be late: up to this multiple of the budget, it is still sent and counts as given. */
const LATEST_REPLY = 2;
/** A slower folder may be on a dead mount: skipping the reply is better than waiting. */
const FOLDER_MS = 200;
/** Larger payloads are stored, but not worth parsing for a reply. */
const LONGEST_ANSWERED_BYTES = 1024 * 1024;
/** Events whose reply can contain context for the model. */
const CARRIES_CONTEXT = new Set<AgentEvent['kind']>(['session-start', 'prompt', 'tool-start', 'tool-end']);

/** One hook call, from stdin to exit code. It always ends with `io.exit` or `io.abandon`. */
export async function runHook(call: HookCall, io: HookIo, env: Environment, now = Date.now): Promise<void> {
  if (env.isGuarded) return io.exit(0);
  // Another thread checks the folder meanwhile.
  const projectAnswers = env.projectDir === undefined || askFolder(env.projectDir, FOLDER_MS);
  const run = await readCall(call, io, env, now);
  const cwd = run.event?.cwd;
  const cwdAnswers = cwd === undefined || cwd === env.projectDir || askFolder(cwd, FOLDER_MS);
  const isFolderDead = !(await projectAnswers) || !(await cwdAnswers);
  const folder = env.projectDir ?? cwd;
  if (isPaused(run.paths, isFolderDead ? null : folder, run.event?.sessionId)) return end();

  const recorded = recordEvent(run);
  if (isFolderDead) run.log.warn('project folder does not answer', { hook: call.hook, folder });
  if (run.agent) {
    const reply = isFolderDead ? nothing : await answerEvent(run, run.agent, recorded);
    printReply(run, run.agent, recorded, all(reply, recorded.reply));
  }
  if (recorded.ok && run.logFailure()) io.diagnostic(run.logFailure());
  if (run.event?.kind === 'prompt' && run.event.origin === 'person') requestMeterReading(run);
  end();

  function end(): void {
    if (isWaitingForFolder()) io.abandon();
    else io.exit();
  }
}

interface HookRun {
  call: HookCall;
  io: HookIo;
  env: Environment;
  now: () => number;
  began: number;
  paths: Paths;
  settings: Settings;
  log: Log;
  /** Why the log could not be written, or empty. */
  logFailure: () => string;
  agent: Agent | undefined;
  payload: Buffer;
  /** The payload, if it was parsed. */
  json: Json | undefined;
  /** Absent if the payload is not understood. */
  event: AgentEvent | undefined;
}

async function readCall(call: HookCall, io: HookIo, env: Environment, now: () => number): Promise<HookRun> {
  const began = now();
  const paths = pathsOf(env.cairnHome);
  configureCairnCommand({ ...env, launcher: paths.launcher });
  const { settings } = loadSettings(paths.config, env);
  let logFailure = '';
  const log = openLog({
    folder: paths.logs,
    level: settings['log.level'],
    from: 'hook',
    now,
    // A reply consists of stored text, up to 10 KB: redacting it again would cost 1.5 ms.
    redactedFields: ['text'],
    onTrouble: (message) => {
      logFailure = message;
    },
  });
  io.failOpen((error) => log.error('hook failed', { hook: call.hook, cause: describeError(error) }));
  const agent = agentById(call.agent);
  if (!agent) log.warn('unknown agent', { agent: call.agent, hook: call.hook });
  const payload = payloadOf(call, await io.readInput());
  const json = agent && parsePayload(payload);
  const event = agent && isObject(json) ? agent.toEvents(call.hook, json)[0] : undefined;
  return {
    ...{ call, io, env, now, began, paths, settings, log, agent, payload, json, event },
    logFailure: () => logFailure,
  };
}

/** After capture.sh the input is the spool file, with its header and end mark. */
function payloadOf({ byShell }: HookCall, input: Buffer): Buffer {
  if (typeof byShell !== 'object') return input;
  return parseSpoolFile(byShell.spoolName, 0, input)?.payload ?? Buffer.alloc(0);
}

function parsePayload(payload: Buffer): Json | undefined {
  if (payload.length > LONGEST_ANSWERED_BYTES) return undefined;
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

interface Recorded {
  ok: boolean;
  spoolName?: string;
  reply: HookReply;
}

/** Writes the event to the spool, unless capture.sh has done so. */
function recordEvent(run: HookRun): Recorded {
  const { call, env, paths, log, event, payload } = run;
  if (call.byShell === 'failed') return { ok: false, reply: countFailure(run, spoolFailure(paths)) };
  if (call.byShell) return { ok: true, spoolName: call.byShell.spoolName, reply: nothing };
  try {
    const spoolName = writeSpoolFile(
      paths,
      {
        agent: call.agent,
        hook: call.hook,
        via: call.via,
        ...(env.projectDir && { projectDir: env.projectDir }),
      },
      event?.sessionId ?? findOwnSession(env),
      payload,
    );
    clearFailures(paths, env.runtimeDir);
    log.debug('handed over', { event: spoolName, agent: call.agent, hook: call.hook, bytes: payload.length });
    return { ok: true, spoolName, reply: nothing };
  } catch (error) {
    return { ok: false, reply: countFailure(run, spoolFailure(paths, error)) };
  }
}

/** capture.sh does not know the reason, so another write finds it out. */
function spoolFailure(paths: Paths, error = trySpool(paths)): string {
  const code = errorCode(error);
  if (error !== undefined && !code) return describeError(error);
  return `${paths.spool} cannot be written${code ? ` (${code})` : ''}`;
}

/** At the threshold, returns a message for the person in a form that does not replace other output. */
function countFailure({ call, paths, settings, env, log, agent }: HookRun, cause: string): HookReply {
  const threshold = settings['hooks.failLoudThreshold'];
  const streak = recordFailure(paths, cause, { threshold, runtimeDir: env.runtimeDir });
  log.error('event not handed over', { hook: call.hook, cause, inARow: streak.count });
  if (!streak.isReportDue || !agent) return nothing;
  return agent.blockIsFeedback(call.hook)
    ? block(withCairnCommand(formatFailureMessage(streak)))
    : notice(formatFailureMessage(streak));
}

async function answerEvent(run: HookRun, agent: Agent, recorded: Recorded): Promise<HookReply<Framed>> {
  const { call, env, now, began, paths, settings, log, event, payload } = run;
  // Answering a turn end that a stop hook caused would loop.
  if (event?.kind === 'turn-end' && event.continued) return nothing;
  // A block cannot carry anything else, and some agents show nothing: outbox messages stay for the next reply.
  const outbox = recorded.reply.block || agent.hidesNotices ? null : takeFromOutbox(paths);
  const messages = all(outbox ? notice(outbox) : nothing, takeSessionMessage(run, recorded));
  if (!event) {
    // Some agents also call a hook where Cairn has no event, such as a second time after every call.
    const isIgnored = isObject(parseJson(payload.toString('utf8')));
    if (call.byShell !== 'failed' && !isIgnored)
      log.warn('hook input not understood', { agent: agent.id, hook: call.hook, bytes: payload.length });
    return messages;
  }
  // Context that the agent does not show to the model must not count as given.
  if (!Object.values(agent.context).includes(true)) return messages;
  // Loaded for prompts only: it takes longer than the rest.
  const search = event.kind === 'prompt' ? await import('../context/prompt.ts') : undefined;
  if (call.via === 'plugin' && isAnsweredBySettings(paths, env, { agent, hook: call.hook }, event.cwd))
    return messages;
  const budget = BUDGET_MS[event.kind] ?? OTHER_BUDGET_MS;
  const until = began + budget;
  const latest = began + budget * LATEST_REPLY;
  const left = until - now();
  if (left <= 0) {
    log.warn('answer came too late', { hook: call.hook, ms: now() - began });
    return messages;
  }
  const busyMs = Math.floor(Math.min(left / 2, 100));
  const answers = openAnswers({
    ...{ agent, event, search, until, latest, paths, env, settings, log, now, busyMs },
    ownFile: recorded.spoolName,
    wakeWorker: () => wakeWorkerFrom(run),
  });
  try {
    const reply = handleEvent(event, answers);
    if (event.kind === 'session-start') {
      updateHome(run);
      if (env.agentPid !== undefined)
        recordAgentProcess(run, { agent: agent.id, agentSession: event.sessionId, pid: env.agentPid });
    }
    if (now() <= latest) return all(reply, messages);
    log.warn('answer came too late', { hook: call.hook, ms: now() - began });
    return messages;
  } catch (error) {
    log.error('handler failed', { hook: call.hook, cause: describeError(error) });
    return messages;
  } finally {
    answers.close();
  }
}

/** Only for events with context: a subagent has its own window, and a message at its end would continue the turn. */
function takeSessionMessage({ event, paths }: HookRun, recorded: Recorded): HookReply<Framed> {
  if (event && isCompaction(event)) {
    // The message was about the window before the compaction.
    takeFromSessionOutbox(paths, event.sessionId);
    return nothing;
  }
  if (!event || event.subagent || !CARRIES_CONTEXT.has(event.kind) || recorded.reply.block) return nothing;
  const message = takeFromSessionOutbox(paths, event.sessionId);
  return message ? all(context(frameNotice(toOneLine(message.context))), notice(message.notice)) : nothing;
}

function printReply(run: HookRun, agent: Agent, recorded: Recorded, reply: HookReply): void {
  const { call, io, now, began, log } = run;
  const printed = agent.print(call.hook, withCommand(reply), run.json);
  for (const leftOut of printed.leftOut) log.warn('reply field dropped', { hook: call.hook, leftOut });
  if (printed.stdout || printed.stderr)
    log.info('replied', {
      event: recorded.spoolName,
      hook: call.hook,
      bytes: Buffer.byteLength(printed.stdout + printed.stderr),
      ms: now() - began,
      text: printed.stdout + printed.stderr,
    });
  io.reply(printed, reply.context ? 'MODEL_CONTEXT' : 'USER_HINT');
  if (io.strayStdoutBytes() > 0)
    log.warn('stray output dropped', { hook: call.hook, bytes: io.strayStdoutBytes() });
}

/** Replaces `cairn` by the command that works for this person. */
function withCommand(reply: HookReply): HookReply {
  return reply.notice ? { ...reply, notice: withCairnCommand(reply.notice) } : reply;
}

/** The worker measures the window while the agent works, and ingests new events. */
function requestMeterReading(run: HookRun): void {
  if (run.settings['meter.warnings'] !== 'on' || run.env.startsNoWorker) return;
  const release = tryLock(run.paths.workerLock);
  if (!release) return;
  release();
  wakeWorkerFrom(run);
}

function wakeWorkerFrom({ env, io }: HookRun): void {
  if (env.shellWakes && !env.startsNoWorker) io.wakeAtExit();
  else wakeWorker(env);
}

function isCompaction(event: AgentEvent): boolean {
  return event.kind === 'compact-start' || (event.kind === 'session-start' && event.source === 'compact');
}
