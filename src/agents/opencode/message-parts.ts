import type { ToolOutcome } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';

/** Hooks and the database have the same parts of messages. */

/** What the person typed; other parts are from programs. */
export function typedText(parts: Json | undefined): string {
  const words = (Array.isArray(parts) ? parts : [])
    .filter((part) => field(part, 'type') === 'text' && field(part, 'synthetic') !== true)
    .flatMap((part) => text(field(part, 'text')) ?? []);
  return withoutQuotes(words.join('\n'));
}

/** What was given on the command line arrives in quotes. */
function withoutQuotes(words: string): string {
  return /^"([^"]+)"$/s.exec(words)?.[1] ?? words;
}

export function outcomeOfResult(metadata: Json | undefined): ToolOutcome {
  const exit = field(metadata, 'exit');
  return typeof exit === 'number' && exit !== 0 ? 'failure' : 'success';
}

export function outcomeOfError(words: string): ToolOutcome {
  return REFUSAL.test(words) ? 'refused' : 'failure';
}

const REFUSAL = /^The user rejected permission|specified a rule which prevents you from using this/;
