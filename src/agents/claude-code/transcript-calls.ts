import type { AgentEvent, EventOrigin, ToolOutcome } from '../../model/agent-event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { readToolCall } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { isRefusal } from './refusal.ts';
import { tools } from './tools.ts';
import { blocksOf, textsOf, type WireLine } from './transcript-line.ts';

export const CUT_OFF = 'Cut off: the session ended before this call did.';
export const INTERRUPTED = 'Interrupted by the person while it ran.';

type ToolEnd = Extract<AgentEvent, { kind: 'tool-end' }>;

/** The end of a call, with the key of the line that started it. */
export interface EndedCall {
  event: ToolEnd;
  at: number;
  key: string;
}

interface StartedCall {
  block: JsonObject;
  origin: EventOrigin;
  at: number;
  key: string;
}

export type OpenCalls = ReturnType<typeof createOpenCalls>;

/** Calls of a transcript that have started but have no result yet. */
export function createOpenCalls() {
  const started = new Map<string, StartedCall>();
  /** The next line shows whether a call that the person rejected had started. */
  let rejected: EndedCall[] = [];

  return {
    isAnyOpen: () => started.size > 0,

    start(block: JsonObject, origin: EventOrigin, at: number, lineKey: string): boolean {
      const id = name(block.id);
      if (id !== undefined) started.set(id, { block, origin, at, key: `${lineKey}.${id}` });
      return id !== undefined;
    },

    /** `isOnly`: the line has no other result, so its fields outside the blocks belong to this result. */
    end(result: JsonObject, line: WireLine, isOnly: boolean, origin: EventOrigin, at: number): EndedCall[] {
      const id = name(result.tool_use_id) ?? '';
      const call = started.get(id);
      if (!call) return [];
      started.delete(id);
      const shown = result.content ?? null;
      const failed = result.is_error === true;
      const wasRefused = failed && (text(line.toolDenialKind) !== undefined || isRefusal(shown));
      const outcome = wasRefused ? 'refused' : failed ? 'failure' : 'success';
      const response = failed || !isOnly ? shown : (line.toolUseResult ?? shown);
      const ended = endOf({ ...call, origin: { ...call.origin, ...origin }, at }, outcome, response, 'call');
      if (!wasRefused || !isByPerson(line, shown)) return [ended];
      rejected.push(ended);
      return [];
    },

    takeRejected({ hadBegun }: { hadBegun: boolean }): EndedCall[] {
      const held = rejected;
      rejected = [];
      if (!hadBegun) return held;
      return held.map(({ event, ...rest }) => ({
        ...rest,
        event: { ...event, outcome: 'failure', response: INTERRUPTED },
      }));
    },

    /** Ends all open calls: after this, a result arrives only if the call itself is reported. */
    cutOff(): EndedCall[] {
      const calls = [...started.values()];
      started.clear();
      return calls.map((call) => endOf({ ...call, key: `${call.key}.cut-off` }, 'failure', CUT_OFF, 'batch'));
    },
  };
}

function endOf(
  { block, origin, at, key }: StartedCall,
  outcome: ToolOutcome,
  response: Json,
  reportedBy: ToolEnd['reportedBy'],
): EndedCall {
  const call = readToolCall(tools, {
    tool_name: block.name ?? null,
    tool_use_id: block.id ?? null,
    tool_input: block.input ?? null,
    tool_response: response,
  });
  return { event: { kind: 'tool-end', ...origin, call, outcome, response, reportedBy }, at, key };
}

function isByPerson({ toolDenialKind }: WireLine, shown: Json): boolean {
  const words = textsOf(blocksOf(shown)).join('\n');
  return (
    toolDenialKind === 'user-rejected' ||
    words.startsWith("The user doesn't want to proceed with this tool use")
  );
}
