import type { AgentWords } from '../capture/agent-words.ts';
import { isObject, type Json } from '../model/json.ts';
import type { StoredEvent } from '../store/types/event.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import type { SaidWords, Turn, TurnCall } from './turn.ts';

/** The turn, or a piece of it, as distillers see it. Only the last piece has the final message. */
export function readTurn(
  stored: StoredTurn,
  events: StoredEvent[],
  isLast: boolean,
  words: AgentWords[],
): Turn {
  const opening = stored.prompts.find(({ origin }) => origin === 'person') ?? stored.prompts[0];
  const compaction = events.findLast(({ kind, text }) => kind === 'compact-end' && text)?.text;
  const closing = events.findLast(({ kind, text }) => kind === 'turn-end' && text);
  return {
    folder: stored.folder ?? '',
    prompt: opening?.text ?? '',
    promptOrigin: opening?.origin ?? 'machine',
    earlierPrompts: stored.earlierPrompts,
    earlierWords: stored.earlierWords,
    calls: events.flatMap(asCall),
    changedFiles: [],
    said: placeWords(words, events, isLast && !closing),
    reports: events.flatMap(({ kind, text }) =>
      (kind === 'subagent-end' || kind === 'compact-end') && text ? [text] : [],
    ),
    closingWords: isLast ? (closing?.text ?? '') : '',
    closedBy: (stored.closedBy ?? 'gap') as Turn['closedBy'],
    ...(stored.branch && { branch: stored.branch }),
    ...(compaction && { compaction }),
  };
}

/**
 * What the agent said before calls of these events. Its last words are the closing words, unless it was cut off:
 * then `isCutOff` asks for them too.
 */
function placeWords(words: AgentWords[], events: StoredEvent[], isCutOff: boolean): SaidWords[] {
  const placeOf = new Map<string, number>();
  let calls = 0;
  for (const event of events) {
    if (event.kind !== 'tool-end' || event.tool === null) continue;
    if (event.callId !== null) placeOf.set(event.callId, calls);
    calls++;
  }
  let last = 0;
  return words.flatMap(({ text, nextCall }) => {
    if (nextCall === null) return isCutOff ? [{ text, place: calls }] : [];
    const place = placeOf.get(nextCall);
    // A call that was cut off is no event; its words follow those before.
    if (place === undefined) return isCutOff ? [{ text, place: last }] : [];
    last = place + 1;
    return [{ text, place }];
  });
}

/** A rejected plan is only in the permission request; otherwise the end of the call has everything. */
function asCall(event: StoredEvent): TurnCall[] {
  if (event.kind !== 'tool-end' || event.tool === null) return [];
  const command = isObject(event.input) ? event.input.command : undefined;
  return [
    {
      event: event.id,
      tool: event.tool,
      does: event.does ?? 'other',
      outcome: (event.outcome ?? 'success') as TurnCall['outcome'],
      priority: event.priority as TurnCall['priority'],
      input: event.input,
      response: event.response,
      files: event.files as TurnCall['files'],
      ...(event.does === 'command' && isText(command) && { command }),
      ...(event.subagent && { subagent: event.subagent }),
    },
  ];
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}
