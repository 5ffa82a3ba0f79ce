import type { Readable, Writable } from 'node:stream';
import type { Json } from '../model/json.ts';

/** More than this without a line break is no message. */
const LONGEST_LINE = 16 * 1024 * 1024;

interface Reading {
  input: Readable;
  /** One message after the other, in the order in which they came. Never throws. */
  receive(message: Json): Promise<void>;
  /** A line that is no JSON. */
  onGarbage(): void;
}

/** Reads a message a line until the input ends. Lines end with a line feed only: a text may hold other breaks. */
export async function readMessages({ input, receive, onGarbage }: Reading): Promise<void> {
  let rest = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) {
      onGarbage();
      rest = '';
    }
    for (const line of lines) if (line.trim() !== '') await take(line);
  }

  async function take(line: string): Promise<void> {
    let message: Json;
    try {
      message = JSON.parse(line);
    } catch {
      onGarbage();
      return;
    }
    await receive(message);
  }
}

/** Resolves when the line is handed over: a process that ends right after it loses nothing. */
export function writeMessage(output: Writable, message: Json): Promise<void> {
  return new Promise((resolve) => output.write(`${JSON.stringify(message)}\n`, () => resolve()));
}
