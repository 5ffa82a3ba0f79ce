import type { Call } from './command.ts';
import { cutPainted, wrapPainted } from './paint.ts';

/** One line of a list, cut with `…` on a narrow terminal. */
export function printRow(call: Pick<Call, 'out' | 'columns'>, text: string): void {
  call.out(call.columns === undefined ? text : cutPainted(text, call.columns));
}

/** For text that must be readable in full: wrapped and indented on a narrow terminal. */
export function printWrapped(call: Pick<Call, 'out' | 'columns'>, text: string, indent: number): void {
  call.out(call.columns === undefined ? text : wrapPainted(text, call.columns, indent));
}
