import type { ToolOutcome } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { field } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';

/** Message parts, which are the same in hooks and in the database. */

/** The person's text; other parts are from programs. */
export function typedText(parts: Json | undefined): string {
  const words = (Array.isArray(parts) ? parts : [])
    .filter((part) => field(part, 'type') === 'text' && field(part, 'synthetic') !== true)
    .flatMap((part) => text(field(part, 'text')) ?? []);
  return withoutQuotes(words.join('\n'));
}

/** A prompt from the command line is in quotes. */
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
