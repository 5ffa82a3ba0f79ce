import type { Readable, Writable } from 'node:stream';
import type { Json } from '../model/json.ts';

/** In characters. A hundred times more than any tool accepts. */
export const LONGEST_LINE = 8 * 1024 * 1024;
/** This much of both ends of a rejected line is kept to find the id of its request. */
const KEPT_OF_REFUSED = 1_000;

interface Reading {
  input: Readable;
  /** Called with the messages in order. Must not throw. */
  receive(message: Json): Promise<void>;
  onGarbage(): void;
  /** `id` is that of the request, or null if it was not found. */
  onTooLong(id: string | number | null): Promise<void>;
}

/**
 * Reads one message per line until the input ends. Only a line feed ends a line: texts may contain other line breaks.
 */
export async function readMessages({ input, receive, onGarbage, onTooLong }: Reading): Promise<void> {
  let line = startLine();
  input.setEncoding('utf8');
  for await (const chunk of input) {
    const [first = '', ...others] = String(chunk).split('\n');
    line.add(first);
    for (const part of others) {
      await take(line);
      line = startLine();
      line.add(part);
    }
  }

  async function take(ended: Line): Promise<void> {
    if (ended.isTooLong()) return onTooLong(idIn(ended.text()));
    const text = ended.text();
    if (text.trim() === '') return;
    let message: Json;
    try {
      message = JSON.parse(text);
    } catch {
      onGarbage();
      return;
    }
    await receive(message);
  }
}

interface Line {
  add(part: string): void;
  isTooLong(): boolean;
  /** The whole line, or both ends of a line that is too long. */
  text(): string;
}

/** Joins the parts once, when the line is complete. A line that is too long is discarded while it arrives. */
function startLine(): Line {
  let parts: string[] = [];
  let length = 0;
  let tooLong = false;
  return {
    add(part) {
      parts.push(part);
      length += part.length;
      if (length <= LONGEST_LINE && !tooLong) return;
      const kept = parts.join('');
      parts = [kept.slice(0, KEPT_OF_REFUSED), kept.slice(KEPT_OF_REFUSED).slice(-KEPT_OF_REFUSED)];
      tooLong = true;
    },
    isTooLong: () => tooLong,
    text: () => parts.join(''),
  };
}

/**
 * Clients write the id of a request first or last, next to its method and version. Nested fields may have the same
 * name.
 */
function idIn(ends: string): string | number | null {
  const value = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")`;
  const field = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"`;
  const first = new RegExp(String.raw`^\s*\{\s*(?:${field}\s*,\s*){0,2}${value}`).exec(ends);
  const last = new RegExp(String.raw`${value}\s*(?:,\s*${field}\s*){0,2}\}\s*$`).exec(ends);
  const written = (first ?? last)?.[1];
  return written === undefined ? null : JSON.parse(written);
}

/** Resolves once the line is written, so a process may exit right afterwards. */
export function writeMessage(output: Writable, message: Json): Promise<void> {
  return new Promise((resolve) => output.write(`${JSON.stringify(message)}\n`, () => resolve()));
}
