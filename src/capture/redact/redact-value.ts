import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import type { Redacted } from '../../model/redacted.ts';
import { cleanPayload } from '../clean.ts';

interface RedactionLimits {
  /** Longer texts are clipped in the middle. */
  maxText?: number;
}

/**
 * The value without secrets and private parts in its texts, keys included. Makes a `Redacted`, the only text that the
 * store accepts. Redacting twice changes nothing.
 */
export function redactValue<T>(
  value: T,
  { maxText = Number.POSITIVE_INFINITY }: RedactionLimits = {},
): Redacted<T> {
  return cleanPayload(value as unknown as Json, { maxText }) as unknown as Redacted<T>;
}

/**
 * Like `redactValue` for a record built from a redacted payload: its unchanged texts and objects are not searched
 * again, which would double the cost of an intake.
 */
export function redactDerived<T>(value: T, source: Redacted<Json> | Redacted<AgentEvent>): Redacted<T> {
  const known = new Set<unknown>();
  collect(source, known);
  return redactUnknown(value, known) as Redacted<T>;
}

/**
 * Marks a context that a hook has built from the store as redacted, because all its texts were redacted before.
 * Searching it again would cost the hook 8 ms.
 */
export function trustContext(body: string): Redacted {
  return body as unknown as Redacted;
}

function collect(value: unknown, known: Set<unknown>): void {
  if (typeof value === 'string') known.add(value);
  if (typeof value !== 'object' || value === null || known.has(value)) return;
  known.add(value);
  for (const part of Object.values(value)) collect(part, known);
}

function redactUnknown(value: unknown, known: Set<unknown>): unknown {
  if (known.has(value)) return value;
  if (typeof value === 'string') return redactValue(value);
  if (Array.isArray(value)) return value.map((item) => redactUnknown(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactUnknown(part, known)]));
}
