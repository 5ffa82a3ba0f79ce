import { frame } from '../framing/frame.ts';
import { FORGOTTEN_TEXT, type GivenBody, type GivenContext } from '../store/types/injection.ts';
import type { Context } from './context.ts';

/** What is kept of a context. */
export function serializeContext({
  lines,
  shown,
  leftOut,
}: Pick<Context, 'lines' | 'shown' | 'leftOut'>): string {
  const body: GivenBody = {
    text: lines.join('\n'),
    shown: shown.map(({ memoryId, how, tokens, reasons, score }) => ({
      ...{ memoryId, how, tokens, reasons },
      ...(score !== undefined && { score }),
    })),
    leftOut,
  };
  return JSON.stringify(body);
}

/** The text that an agent got, with the frame around it; null once something in it was forgotten. */
export function readGivenText({ text }: Pick<GivenContext, 'text'>): string | null {
  return text === FORGOTTEN_TEXT ? null : frame(text);
}
