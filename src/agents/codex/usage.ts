import { isObject, parseJson } from '../../model/json.ts';
import type { ContextUsage } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { name } from '../dialect/wire.ts';

/** Reads the last token count of the transcript, which also has the size of the window. */
export function readLastUsage(tail: string): ContextUsage | null {
  let usage: Omit<ContextUsage, 'model'> | undefined;
  for (const line of tail.split('\n').reverse()) {
    // A compaction empties the window; its own token counts are written before it.
    if (!usage && line.includes('"compacted"') && typeOf(line) === 'compacted') return null;
    if (!usage && line.includes('"token_count"')) usage = countIn(line);
    const model = usage && line.includes('"turn_context"') ? modelIn(line) : undefined;
    if (usage && model !== undefined) return { ...usage, model };
  }
  return usage ? { ...usage, model: 'unknown' } : null;
}

function countIn(line: string): Omit<ContextUsage, 'model'> | undefined {
  const info = field(field(parseJson(line), 'payload'), 'info');
  const tokens = field(field(info, 'last_token_usage'), 'total_tokens');
  const window = field(info, 'model_context_window');
  if (typeof tokens !== 'number' || tokens <= 0) return undefined;
  return { tokens, ...(typeof window === 'number' && window > 0 && { window }) };
}

function modelIn(line: string): string | undefined {
  const record = parseJson(line);
  return isObject(record) && record.type === 'turn_context'
    ? name(field(record.payload, 'model'))
    : undefined;
}

function typeOf(line: string): unknown {
  return field(parseJson(line), 'type');
}
