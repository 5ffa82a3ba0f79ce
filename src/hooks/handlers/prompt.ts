import { context, nothing } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Only the person's own words are looked up: a notification is about nothing that memory knows. */
export const prompt: Handler<'prompt'> = (event, memory) => {
  if (event.origin === 'machine') return nothing;
  const { text } = memory.forPrompt(event.text);
  return text === '' ? nothing : context(text);
};
