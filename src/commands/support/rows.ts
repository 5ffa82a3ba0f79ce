import type { Call } from './command.ts';
import { cutPainted } from './paint.ts';

/** One line of a list: on a narrow terminal its end is cut off with `…` instead of running over. */
export function printRow(call: Pick<Call, 'out' | 'columns'>, text: string): void {
  call.out(call.columns === undefined ? text : cutPainted(text, call.columns));
}
