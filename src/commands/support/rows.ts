import type { Call } from './command.ts';
import { cutPainted, wrapPainted } from './paint.ts';

/** One line of a list: on a narrow terminal its end is cut off with `…` instead of running over. */
export function printRow(call: Pick<Call, 'out' | 'columns'>, text: string): void {
  call.out(call.columns === undefined ? text : cutPainted(text, call.columns));
}

/** For what must be read to its end: on a narrow terminal it goes on in the next line, indented. */
export function printWrapped(call: Pick<Call, 'out' | 'columns'>, text: string, indent: number): void {
  call.out(call.columns === undefined ? text : wrapPainted(text, call.columns, indent));
}
