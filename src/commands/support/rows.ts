import type { Call } from './command.ts';
import { cutPainted, wrapPainted } from './paint.ts';

/** Prints one line of a list, shortened with `…` on a narrow terminal. */
export function printRow(call: Pick<Call, 'out' | 'columns'>, text: string): void {
  const row = showLineBreaks(text);
  call.out(call.columns === undefined ? row : cutPainted(row, call.columns));
}

/** Without this, a file name with a line break could imitate a row. */
export function showLineBreaks(text: string): string {
  return text.replace(/\r\n|[\r\n]/g, '␊');
}

/** For text that must stay readable in full: wrapped and indented on a narrow terminal. */
export function printWrapped(call: Pick<Call, 'out' | 'columns'>, text: string, indent: number): void {
  call.out(call.columns === undefined ? text : wrapPainted(text, call.columns, indent));
}

/** Below a list: what is missing from it. A list in JSON has no place for that. */
export function printRemark({ options, out, err, paint }: Call, text: string): void {
  if (options.json) err(text);
  else out(paint.dim(text));
}
