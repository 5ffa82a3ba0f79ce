import type { Readable, Writable } from 'node:stream';
import type { Json } from '../model/json.ts';

/** In characters; a hundred times more than any tool accepts. */
export const LONGEST_LINE = 8 * 1024 * 1024;
/** Of a rejected line, this much of both ends is kept to find the request's id. */
const KEPT_OF_REFUSED = 1_000;

interface Reading {
  input: Readable;
  /** Messages in order. Never throws. */
  receive(message: Json): Promise<void>;
  onGarbage(): void;
  /** `id` is that of the request, if it could be found. */
  onTooLong(id: string | number | null): Promise<void>;
}

/**
 * Reads one message per line until the input ends. Lines end with a line feed only: a text may contain other breaks.
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
  /** The whole line; of one that is too long only both ends. */
  text(): string;
}

/** Parts are joined once, when the line is complete. A line that is too long is dropped while it arrives. */
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
 * Clients write a request's id first or last, next to its method and version; nested fields may have the same name.
 */
function idIn(ends: string): string | number | null {
  const value = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")`;
  const field = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"`;
  const first = new RegExp(String.raw`^\s*\{\s*(?:${field}\s*,\s*){0,2}${value}`).exec(ends);
  const last = new RegExp(String.raw`${value}\s*(?:,\s*${field}\s*){0,2}\}\s*$`).exec(ends);
  const written = (first ?? last)?.[1];
  return written === undefined ? null : JSON.parse(written);
}

/** Resolves when the line is written: a process that exits right after it loses nothing. */
export function writeMessage(output: Writable, message: Json): Promise<void> {
  return new Promise((resolve) => output.write(`${JSON.stringify(message)}\n`, () => resolve()));
}
