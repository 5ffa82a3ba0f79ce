import type { Agent } from '../agents/agent.ts';
import { agentById } from '../agents/all.ts';
import { takeFromOutbox, takeFromOutboxFor } from '../capture/outbox.ts';
import { isPaused } from '../capture/paused.ts';
import { writeSpoolFile } from '../capture/spool.ts';
import type { Environment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { HookReply } from '../model/hook-reply.ts';
import { isObject, type Json } from '../model/json.ts';
import { all, block, context, nothing, notice } from '../model/reply.ts';
import { startDetached } from '../platform/detach.ts';
import { errorCode } from '../platform/files.ts';
import { workerProgram } from '../platform/installation.ts';
import { createLog, describeError } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { tryLock } from '../store/sqlite/lock.ts';
import { clearFailures, failureMessage, noteFailure } from './fail-loud.ts';
import { answer } from './handlers/all.ts';
import type { HookIo } from './io.ts';
import { openMemory } from './memory.ts';
import { settingsAnswerToo } from './two-ways.ts';

export interface HookCall {
  agent: string;
  hook: string;
  via: string;
  /** The shell program has handed the event over, or could not, which we are to count. */
  byShell?: 'handed-over' | 'not-handed-over' | undefined;
}

/** How long we may take before we say nothing; the agent's own time-out lies above. */
const BUDGET_MS: Partial<Record<AgentEvent['kind'], number>> = {
  'session-start': 1_000,
  prompt: 500,
  'tool-start': 200,
  'session-end': 300,
};
const OTHER_BUDGET_MS = 500;
/** Events at which the model can be told something. */
const CARRIES = new Set<AgentEvent['kind']>(['session-start', 'prompt', 'tool-start', 'tool-end']);

/** One hook call, from stdin to exit code: hand over, answer, print, end. It always ends with `io.exit`. */
export async function runHook(call: HookCall, io: HookIo, env: Environment, now = Date.now): Promise<void> {
  if (env.isGuarded) return io.exit(0);
  const began = now();
  const paths = pathsOf(env.cairnHome);
  const { settings } = loadSettings(paths.config, env);
  let logTrouble = '';
  const log = createLog({
    folder: paths.logs,
    level: settings['log.level'],
    from: 'hook',
    now,
    onTrouble: (message) => {
      logTrouble = message;
    },
  });
  io.failOpen((error) => log.error('hook failed', { hook: call.hook, cause: describeError(error) }));

  const agent = agentById(call.agent);
  if (!agent) log.warn('unknown agent', { agent: call.agent, hook: call.hook });
  const isLost = call.byShell === 'not-handed-over';
  const input = isLost ? Buffer.alloc(0) : await io.readInput();
  const payload = parse(input);
  const event = agent && payload !== undefined ? firstEvent(agent, call.hook, payload) : undefined;
  if (isPaused(paths, env.projectDir ?? event?.cwd, event?.sessionId)) return io.exit(0);

  const handedOver = handOver();
  const lookUp = event?.kind === 'prompt' ? await import('../context/prompt.ts') : undefined;
  const reply = agent ? all(answerWithin(agent), handedOver.reply) : nothing;
  if (agent) print(agent, reply);
  if (handedOver.ok && logTrouble) io.diagnostic(logTrouble);
  if (event?.kind === 'prompt' && event.origin === 'person') haveMeterRead();
  io.exit();

  function handOver(): { ok: boolean; name?: string; reply: HookReply } {
    if (call.byShell === 'handed-over') return { ok: true, reply: nothing };
    if (isLost) return { ok: false, reply: tellOf(`${paths.spool} cannot be written`) };
    try {
      const name = writeSpoolFile(
        paths,
        {
          agent: call.agent,
          hook: call.hook,
          via: call.via,
          ...(env.projectDir && { projectDir: env.projectDir }),
        },
        event?.sessionId ?? env.sessionId,
        input,
      );
      clearFailures(paths, env.runtimeDir);
      log.debug('handed over', { event: name, agent: call.agent, hook: call.hook, bytes: input.length });
      return { ok: true, name, reply: nothing };
    } catch (error) {
      const cause = errorCode(error)
        ? `${paths.spool} cannot be written (${errorCode(error)})`
        : describeError(error);
      return { ok: false, reply: tellOf(cause) };
    }
  }

  /** Below the threshold nobody is bothered; at it, in the way that swallows nothing. */
  function tellOf(cause: string): HookReply {
    const threshold = settings['hooks.failLoudThreshold'];
    const streak = noteFailure(paths, cause, { threshold, runtimeDir: env.runtimeDir });
    log.error('event not handed over', { hook: call.hook, cause, inARow: streak.count });
    if (!streak.tellNow || !agent) return nothing;
    return agent.blockIsFeedback(call.hook) ? block(failureMessage(streak)) : notice(failureMessage(streak));
  }

  function answerWithin(to: Agent): HookReply {
    // Answering a turn end that a stop hook caused would go on for ever.
    if (event?.kind === 'turn-end' && event.continued) return nothing;
    // A block carries nothing beside it: what waits goes on waiting.
    const outbox = handedOver.reply.block ? null : takeFromOutbox(paths);
    const said = all(outbox ? notice(outbox) : nothing, wordForSession());
    if (!event) {
      if (!isLost)
        log.warn('hook input not understood', { agent: to.id, hook: call.hook, bytes: input.length });
      return said;
    }
    if (call.via === 'plugin' && settingsAnswerToo(paths, env, call, event.cwd)) return said;
    const budget = BUDGET_MS[event.kind] ?? OTHER_BUDGET_MS;
    const left = began + budget - now();
    if (left <= 0) return said;
    const busyMs = Math.floor(Math.min(left / 2, 100));
    const memory = openMemory(
      {
        agent: to,
        lookUp,
        until: began + budget,
        paths,
        env,
        settings,
        log,
        now,
        busyMs,
        ownFile: handedOver.name,
        wakeWorker,
      },
      event,
    );
    try {
      const answered = answer(event, memory);
      if (now() - began <= budget) return all(answered, said);
      log.warn('answer came too late', { hook: call.hook, ms: now() - began });
      return said;
    } catch (error) {
      log.error('handler failed', { hook: call.hook, cause: describeError(error) });
      return said;
    } finally {
      memory.close();
    }
  }

  /** Where the model can hear it: a subagent is somebody else, and at its end a turn would go on for it. */
  function wordForSession(): HookReply {
    if (event && isCompaction(event)) {
      // It was about a window that is empty now.
      takeFromOutboxFor(paths, event.sessionId);
      return nothing;
    }
    if (!event || event.subagent || !CARRIES.has(event.kind) || handedOver.reply.block) return nothing;
    const word = takeFromOutboxFor(paths, event.sessionId);
    return word ? all(context(word.context), notice(word.notice)) : nothing;
  }

  /** The worker looks how full the window is while the agent is at work, and it takes in what comes meanwhile. */
  function haveMeterRead(): void {
    const isFree = settings['meter.warnings'] === 'on' && !env.startsNoWorker && tryLock(paths.workerLock);
    if (!isFree) return;
    isFree();
    wakeWorker();
  }

  function wakeWorker(): void {
    if (env.startsNoWorker) return;
    if (env.shellWakes) io.wakeAtExit();
    else startDetached(process.execPath, [workerProgram()]);
  }

  function print(to: Agent, said: HookReply): void {
    const printed = to.print(call.hook, said);
    for (const leftOut of printed.leftOut) log.warn('reply not carried', { hook: call.hook, leftOut });
    if (printed.stdout || printed.stderr)
      log.info('replied', {
        event: handedOver.name,
        hook: call.hook,
        bytes: Buffer.byteLength(printed.stdout + printed.stderr),
        ms: now() - began,
        text: printed.stdout + printed.stderr,
      });
    io.reply(printed, said.context ? 'MODEL_CONTEXT' : 'USER_HINT');
    if (io.strayStdoutBytes() > 0)
      log.warn('stray output dropped', { hook: call.hook, bytes: io.strayStdoutBytes() });
  }
}

function isCompaction(event: AgentEvent): boolean {
  return event.kind === 'compact-start' || (event.kind === 'session-start' && event.source === 'compact');
}

function firstEvent(agent: Agent, hook: string, payload: Json): AgentEvent | undefined {
  return isObject(payload) ? agent.toEvents(hook, payload)[0] : undefined;
}

function parse(input: Buffer): Json | undefined {
  try {
    return JSON.parse(input.toString('utf8'));
  } catch {
    return undefined;
  }
}
