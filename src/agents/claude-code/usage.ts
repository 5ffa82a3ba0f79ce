import { isObject, type Json, parseJson } from '../../model/json.ts';
import type { ContextUsage } from '../agent.ts';
import { name } from '../dialect/wire.ts';

/**
 * How much of the window the session's last answer used, without subagents. @param tail the end of the transcript; its
 * first line may be incomplete.
 */
export function readLastUsage(tail: string): ContextUsage | null {
  for (const line of tail.split('\n').reverse()) {
    // These checks avoid parsing large lines, which are tool results.
    if (line.includes('"compact_boundary"') && isEmptied(parseJson(line))) return null;
    if (!line.includes('"usage"') || !line.includes('"assistant"')) continue;
    const usage = usageIn(parseJson(line));
    if (usage) return usage;
  }
  return null;
}

/** A compaction resets the usage. */
function isEmptied(line: Json | undefined): boolean {
  return isObject(line) && line.type === 'system' && line.subtype === 'compact_boundary';
}

function usageIn(line: Json | undefined): ContextUsage | null {
  if (!isObject(line) || line.type !== 'assistant' || line.isSidechain === true) return null;
  const { message, requestedModel } = line;
  if (!isObject(message) || !isObject(message.usage) || line.isApiErrorMessage === true) return null;
  const { usage } = message;
  const tokens = [
    usage.input_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
    usage.output_tokens,
  ].reduce<number>((sum, part) => sum + (typeof part === 'number' && part > 0 ? part : 0), 0);
  const model = name(requestedModel) ?? name(message.model);
  return tokens > 0 && model !== undefined ? { tokens, model } : null;
}
