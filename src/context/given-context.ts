import { frame } from '../framing/frame.ts';
import { FORGOTTEN_TEXT, type GivenContext } from '../store/types/injection.ts';

/** The text that an agent got, with the frame around it; null once something in it was forgotten. */
export function readGivenText({ text }: Pick<GivenContext, 'text'>): string | null {
  return text === FORGOTTEN_TEXT ? null : frame(text);
}
