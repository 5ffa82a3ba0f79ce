import type { AgentEvent, EventScene, ToolOutcome } from '../../model/agent-event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isRefusal } from './refusal.ts';
import { toolCall } from './tools.ts';
import { blocksOf, textsOf, type WireLine } from './transcript-line.ts';
import { name, text } from './wire.ts';

export const CUT_OFF = 'Cut off: the session ended before this call did.';
export const INTERRUPTED = 'Interrupted by the person while it ran.';

type ToolEnd = Extract<AgentEvent, { kind: 'tool-end' }>;

/** The end of a call, with the line's key at which it began. */
export interface EndedCall {
  event: ToolEnd;
  at: number;
  key: string;
}

interface StartedCall {
  block: JsonObject;
  scene: EventScene;
  at: number;
  key: string;
}

/** The calls of a transcript between their line and that of their result. */
export function createCalls() {
  const started = new Map<string, StartedCall>();
  /** Turned down by the person; the next line tells whether they had begun. */
  let turnedDown: EndedCall[] = [];

  return {
    isAnyOpen: () => started.size > 0,

    start(block: JsonObject, scene: EventScene, at: number, lineKey: string): boolean {
      const id = name(block.id);
      if (id !== undefined) started.set(id, { block, scene, at, key: `${lineKey}.${id}` });
      return id !== undefined;
    },

    /** `isOnly`: the line holds no other result, so that what it says beside the blocks belongs to this one. */
    end(result: JsonObject, line: WireLine, isOnly: boolean, scene: EventScene, at: number): EndedCall[] {
      const id = name(result.tool_use_id) ?? '';
      const call = started.get(id);
      if (!call) return [];
      started.delete(id);
      const shown = result.content ?? null;
      const failed = result.is_error === true;
      const wasRefused = failed && (text(line.toolDenialKind) !== undefined || isRefusal(shown));
      const outcome = wasRefused ? 'refused' : failed ? 'failure' : 'success';
      const response = failed || !isOnly ? shown : (line.toolUseResult ?? shown);
      const ended = endOf({ ...call, scene: { ...call.scene, ...scene }, at }, outcome, response, 'call');
      if (!wasRefused || !isByPerson(line, shown)) return [ended];
      turnedDown.push(ended);
      return [];
    },

    turnedDown({ hadBegun }: { hadBegun: boolean }): EndedCall[] {
      const held = turnedDown;
      turnedDown = [];
      if (!hadBegun) return held;
      return held.map(({ event, ...rest }) => ({
        ...rest,
        event: { ...event, outcome: 'failure', response: INTERRUPTED },
      }));
    },

    /** Those without a result get none any more, unless it comes as a report on the very call. */
    cutOff(): EndedCall[] {
      const calls = [...started.values()];
      started.clear();
      return calls.map((call) => endOf({ ...call, key: `${call.key}.cut-off` }, 'failure', CUT_OFF, 'batch'));
    },
  };
}

function endOf(
  { block, scene, at, key }: StartedCall,
  outcome: ToolOutcome,
  response: Json,
  reportedBy: ToolEnd['reportedBy'],
): EndedCall {
  const call = toolCall({
    tool_name: block.name ?? null,
    tool_use_id: block.id ?? null,
    tool_input: block.input ?? null,
    tool_response: response,
  });
  return { event: { kind: 'tool-end', ...scene, call, outcome, response, reportedBy }, at, key };
}

function isByPerson({ toolDenialKind }: WireLine, shown: Json): boolean {
  const words = textsOf(blocksOf(shown)).join('\n');
  return (
    toolDenialKind === 'user-rejected' ||
    words.startsWith("The user doesn't want to proceed with this tool use")
  );
}
