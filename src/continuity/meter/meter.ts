import { agentById } from '../../agents/all.ts';
import { putInSessionOutbox, type SessionMessage } from '../../capture/outbox.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { isMissing } from '../../platform/files.ts';
import { readTail } from '../../platform/lines.ts';
import { describeError, type Log } from '../../platform/log.ts';
import type { Paths } from '../../platform/paths.ts';
import type { Store } from '../../store/store.ts';
import type { ActiveSession, WindowUsage } from '../../store/types/work.ts';
import { readWindowNote } from './window-note.ts';

/** A session is warned when this percentage of its window is left. */
const WARNINGS = [10, 20, 30] as const;
/** Enough to include the last answer unless a very large result follows it. */
const TAIL_BYTES = 512 * 1024;
/** A window that shrinks to this share of its former usage was emptied. */
const EMPTIED = 0.6;

export interface MeterOptions {
  store: Store;
  paths: Paths;
  log: Log;
  now: () => number;
  /** Writes a handoff for a session. @returns its name; null if there is nothing to hand off. */
  handOff: (agentSession: string, folder: string | null) => Promise<string | null>;
}

/** Reads how full the context windows of active sessions are, and warns each session once per threshold. */
export async function readMeters(options: MeterOptions): Promise<void> {
  for (const session of options.store.listActiveSessions()) {
    try {
      await readMeter(options, session);
    } catch (error) {
      if (!isMissing(error))
        options.log.warn('meter not read', { session: session.agentSession, cause: describeError(error) });
    }
  }
}

async function readMeter(
  options: MeterOptions,
  { agent: id, agentSession, transcript, folder }: ActiveSession,
): Promise<void> {
  const { store, paths, now } = options;
  const agent = agentById(id);
  const usage = agent?.lastUsage(readTail(transcript, TAIL_BYTES));
  if (!agent || !usage) return;
  const window = readWindowNote(paths, agentSession)?.size ?? usage.window ?? agent.windowOf(usage.model);
  // More tokens than the window holds: the assumed size must be wrong.
  if (window === null || usage.tokens > window) return;

  const before = store.getWindowUsage(agentSession);
  if (before?.tokens === usage.tokens && before.window === window) return;
  const compactedAt = store.getSessionTimes(agentSession)?.compactedAt ?? 0;
  const warnedBefore = before && !wasEmptied(before, usage.tokens, compactedAt) ? before.warnedAt : 100;
  const tokensLeft = window - usage.tokens;
  const warning = WARNINGS.find((percent) => tokensLeft * 100 <= window * percent) ?? 100;
  if (warning < warnedBefore) {
    const handoff = warning === 10 ? await options.handOff(agentSession, folder) : null;
    const left = Math.floor((tokensLeft * 100) / window);
    putInSessionOutbox(paths, agentSession, wordOf(warning, left, tokensLeft, handoff));
    options.log.info('window nearly full', { session: agentSession, left, warning });
  }
  store.saveContextFill(redactValue(agentSession), {
    tokens: usage.tokens,
    window,
    model: usage.model === null ? null : redactValue(usage.model),
    warnedAt: Math.min(warning, warnedBefore),
    at: now(),
  });
}

function wasEmptied(before: WindowUsage, tokens: number, compactedAt: number): boolean {
  return compactedAt > before.at || tokens < before.tokens * EMPTIED;
}

function wordOf(warning: number, left: number, tokens: number, name: string | null): SessionMessage {
  const handoff = name === null ? null : toOneLine(name);
  const fact = `${left} % of the context window are left (about ${inThousands(tokens)} tokens)`;
  const save = withCairnCommand(
    'the tool `handoff` of the MCP server cairn, or `cairn handoff save` in a shell',
  );
  if (warning === 30)
    return {
      context: `Cairn: ${fact}. Finish the current step before you start anything large.`,
      notice: `Cairn: ${fact}.`,
    };
  if (warning === 20 || handoff === null)
    return {
      context: `Cairn: ${fact}. At the next good point save a handoff, so that a new session can continue: ${save}.`,
      notice: `Cairn: ${fact}. /cairn:handoff saves what a new session needs; after /clear the work continues from there.`,
    };
  return {
    context:
      `Cairn: ${fact}. A handoff was saved for the next session (${handoff}). If you know more than memory does, ` +
      `say it in your own words: ${save}.`,
    notice: `Cairn: ${fact}. A handoff was saved (${handoff}); after /clear the next session continues from there.`,
  };
}

function inThousands(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)},000`;
}
