import { frame } from '../framing/frame.ts';
import type { ScorePart } from '../model/score-part.ts';
import { FORGOTTEN_TEXT, type GivenBody, type GivenContext } from '../store/types/injection.ts';
import type { Context } from './context.ts';

/** The stored form of a context. */
export function serializeContext({
  lines,
  shown,
  leftOut,
}: Pick<Context, 'lines' | 'shown' | 'leftOut'>): string {
  const body: GivenBody = {
    text: lines.join('\n'),
    shown: shown.map(({ memoryId, how, tokens, reasons, score, parts }) => ({
      ...{ memoryId, how, tokens, reasons },
      ...roundScore({ score, parts }),
    })),
    leftOut: leftOut.map(({ score, parts, ...rest }) => ({ ...rest, ...roundScore({ score, parts }) })),
  };
  return JSON.stringify(body);
}

function roundScore({ score, parts }: { score: number | undefined; parts: ScorePart[] | undefined }) {
  return {
    ...(score !== undefined && { score: round(score) }),
    ...(parts && { parts: parts.map(({ name, points }) => ({ name, points: round(points) })) }),
  };
}

/** More digits have no meaning, but would be stored for months. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The text that an agent got, with the frame around it; null once something in it was forgotten. */
export function readGivenText({ text }: Pick<GivenContext, 'text'>): string | null {
  return text === FORGOTTEN_TEXT ? null : frame(text);
}
