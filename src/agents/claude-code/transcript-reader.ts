import type { AgentEvent, EventScene } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { isMachinePrompt } from './machine-prompt.ts';
import { createCalls } from './transcript-calls.ts';
import {
  blocksOf,
  blocksOfType,
  isInterruption,
  slashCommandIn,
  summaryIn,
  textsOf,
  timeOf,
  triggerIn,
  type WireLine,
  wordsOf,
} from './transcript-line.ts';
import { name, text } from './wire.ts';

/** An event as a transcript tells it: later than a hook would, and whether or not one did. */
export interface ToldEvent {
  event: AgentEvent;
  at: number;
  /** The same however often it is read, and from whichever copy of the file. */
  key: string;
  branch?: string;
}

/** Whose transcript it is. */
export interface TranscriptOrigin {
  sessionId: string;
  /** The session's own transcript, also where the file is a subagent's. */
  path: string;
  subagent?: { id: string; type: string; path: string };
}

/** Where a line stands in the file, in bytes. */
export interface Span {
  start: number;
  end: number;
}

/** What the agent said last, which are its closing words if nothing follows. */
interface LastWords {
  message: string | undefined;
  texts: string[];
  scene: EventScene;
  at: number;
  key: string;
  error?: string;
}

/** Reads a transcript's lines in order. What still goes on is told when it has ended, or when all is over. */
export function createTranscriptReader({ sessionId, path, subagent }: TranscriptOrigin) {
  const calls = createCalls();
  let lastWords: LastWords | null = null;
  /** A slash command is a prompt if the model answers it; others are the client's own affair. */
  let command: ToldEvent | null = null;
  let promptId: string | undefined;
  let turnPromptId: string | undefined;
  let trigger = 'unknown';
  let isStartTold = false;
  let firstAt: number | undefined;
  let lastAt = 0;
  /** Where that begins which is not over yet. */
  let openSince: number | null = null;
  let end = 0;

  function take(line: Json, span: Span): ToldEvent[] {
    end = span.end;
    if (!isObject(line)) return [];
    lastAt = timeOf(line) ?? lastAt;
    firstAt ??= timeOf(line);
    switch (line.type) {
      case 'user':
        return fromUser(line, span);
      case 'assistant':
        return fromAssistant(line, span);
      case 'system':
        return fromSystem(line);
      case 'attachment':
        return fromAttachment(line, span);
      default:
        return [];
    }
  }

  /** At the end of the file. `isOver`: nothing more will come. */
  function finish(isOver: boolean): ToldEvent[] {
    if (!isOver) return [];
    const wasCutOff = calls.isAnyOpen();
    const told = endTurn();
    if (!wasCutOff) openSince = null;
    return told;
  }

  function fromUser(line: WireLine, span: Span): ToldEvent[] {
    promptId = name(line.promptId) ?? promptId;
    if (line.isMeta === true) return [];
    const blocks = blocksOf(isObject(line.message) ? line.message.content : undefined);
    const texts = textsOf(blocks);
    if (line.isCompactSummary === true) return isSide(line) ? [] : [compaction(line, span, texts)];
    if (line.isVisibleInTranscriptOnly === true) return [];
    const results = blocksOfType(blocks, 'tool_result');
    const told = results
      .flatMap((result) => calls.end(result, line, results.length === 1, sceneOf(line), lastAt))
      .map((ended) => ({ ...ended, ...branchOf(line) }));
    if (isInterruption(texts)) return [...told, ...interruption(line, span)];
    if (results.length > 0) return told;
    return isSide(line) || texts.length === 0 ? [] : prompt(line, span, texts);
  }

  function prompt(line: WireLine, span: Span, texts: string[]): ToldEvent[] {
    const words = wordsOf(texts);
    const typed = slashCommandIn(words.text);
    const isMachine = typed === undefined && (words.isMachine || line.promptSource === 'system');
    // The output of a command, and the like: it belongs to the prompt before it.
    if (isMachine && (line.promptId === undefined || isOfOpenTurn(line))) return [];
    const before = endTurn();
    const origin = isMachine ? 'machine' : 'person';
    const asked = tell(line, span, { kind: 'prompt', ...sceneOf(line), text: typed ?? words.text, origin });
    openSince = span.start;
    turnPromptId = promptId;
    if (typed === undefined) return [...before, asked];
    command = asked;
    return before;
  }

  function isOfOpenTurn(line: WireLine): boolean {
    return openSince !== null && name(line.promptId) === turnPromptId;
  }

  /** A prompt that came while the agent was at work. */
  function fromAttachment(line: WireLine, span: Span): ToldEvent[] {
    const { attachment } = line;
    if (!isObject(attachment) || attachment.type !== 'queued_command' || isSide(line)) return [];
    const words = textsOf(blocksOf(attachment.prompt)).join('\n');
    if (words === '') return [];
    const isNotified = isObject(attachment.origin) && attachment.origin.kind === 'task-notification';
    const origin = isNotified || isMachinePrompt(words) ? 'machine' : 'person';
    return [tell(line, span, { kind: 'prompt', ...sceneOf(line), text: words, origin })];
  }

  function fromAssistant(line: WireLine, span: Span): ToldEvent[] {
    const message = isObject(line.message) ? line.message : {};
    const told = [
      ...startOfSession(line, message),
      ...(command ? [command] : []),
      ...calls.turnedDown({ hadBegun: false }),
    ];
    command = null;
    openSince ??= span.start;
    const blocks = blocksOf(message.content);
    const texts = textsOf(blocks);
    // What a subagent says among its session's own lines is not the session's.
    const isOurs = subagent !== undefined || line.isSidechain !== true;
    if (isOurs && texts.length > 0) lastWords = heard(line, span, name(message.id), texts);
    for (const block of blocksOfType(blocks, 'tool_use'))
      if (calls.start(block, sceneOf(line), lastAt, keyOf(line, span)) && isOurs) lastWords = null;
    return told;
  }

  /** A message comes block by block, a line for each. */
  function heard(line: WireLine, span: Span, message: string | undefined, texts: string[]): LastWords {
    const earlier = message !== undefined && lastWords?.message === message ? lastWords.texts : [];
    return {
      message,
      texts: [...earlier, ...texts],
      scene: sceneOf(line),
      at: lastAt,
      key: keyOf(line, span),
      ...(line.isApiErrorMessage === true && { error: name(line.error) ?? 'unknown' }),
    };
  }

  function startOfSession(line: WireLine, message: JsonObject): ToldEvent[] {
    const model = name(message.model);
    if (isStartTold || isSide(line) || model === undefined || model === '<synthetic>') return [];
    isStartTold = true;
    const { promptId: _, ...scene } = sceneOf(line);
    const event: AgentEvent = { kind: 'session-start', ...scene, source: 'unknown', model };
    return [{ event, at: firstAt ?? lastAt, key: `${sessionId}.start`, ...branchOf(line) }];
  }

  function interruption(line: WireLine, span: Span): ToldEvent[] {
    const turnedDown = calls.turnedDown({ hadBegun: line.interruptedMessageId !== undefined });
    lastWords = null;
    const before = [...turnedDown, ...endTurn()];
    openSince = null;
    if (isSide(line)) return before;
    const why = { text: '', error: 'interrupted', continued: false };
    const ended = tell(line, span, { kind: 'turn-end', ...sceneOf(line), ...why });
    return [...before, { ...ended, key: `${ended.key}.turn-end` }];
  }

  function fromSystem(line: WireLine): ToldEvent[] {
    if (line.subtype === 'compact_boundary') trigger = triggerIn(line.compactMetadata) ?? trigger;
    if (line.subtype !== 'turn_duration' || isSide(line)) return [];
    const told = endTurn();
    openSince = null;
    return told;
  }

  function compaction(line: WireLine, span: Span, texts: string[]): ToldEvent {
    const summary = summaryIn(texts.join('\n'));
    return tell(line, span, { kind: 'compact-end', ...sceneOf(line), trigger, summary });
  }

  function endTurn(): ToldEvent[] {
    const words = lastWords;
    lastWords = null;
    command = null;
    return [...calls.turnedDown({ hadBegun: false }), ...calls.cutOff(), ...(words ? [closing(words)] : [])];
  }

  function closing({ texts, scene, at, key, error }: LastWords): ToldEvent {
    const words = texts.join('\n');
    const event: AgentEvent = subagent
      ? { kind: 'subagent-end', ...scene, text: words, transcriptOfSubagent: subagent.path }
      : { kind: 'turn-end', ...scene, text: words, ...(error && { error }), continued: false };
    return { event, at, key: `${key}.${event.kind}` };
  }

  function tell(line: WireLine, span: Span, event: AgentEvent): ToldEvent {
    return { event, at: lastAt, key: keyOf(line, span), ...branchOf(line) };
  }

  function keyOf({ uuid }: WireLine, { start }: Span): string {
    return name(uuid) ?? `${sessionId}.${start}`;
  }

  /** A subagent's doing, in a file of its own or, as older clients had it, among the session's own lines. */
  function isSide(line: WireLine): boolean {
    return subagent !== undefined || line.isSidechain === true;
  }

  function sceneOf(line: WireLine): EventScene {
    const cwd = text(line.cwd);
    const permissionMode = name(line.permissionMode);
    const side = { id: subagent?.id ?? name(line.agentId) ?? 'side', type: subagent?.type ?? '' };
    return {
      sessionId,
      ...(cwd !== undefined && { cwd }),
      transcriptPath: path,
      ...(promptId !== undefined && { promptId }),
      ...(permissionMode !== undefined && { permissionMode }),
      ...(isSide(line) && { subagent: side }),
    };
  }

  return { take, finish, settledUpTo: () => openSince ?? end, lastAt: () => lastAt };
}

function branchOf({ gitBranch }: WireLine): { branch?: string } {
  const branch = text(gitBranch);
  return branch === undefined ? {} : { branch };
}
