import { all, context, nothing, notice } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Only a person's prompts are searched for; notifications are not. */
export const prompt: Handler<'prompt'> = (event, answers) => {
  if (event.origin === 'machine') return nothing;
  const { text, joined } = answers.buildPromptContext(event.text);
  return all(
    text === '' ? nothing : context(text),
    joined ? notice(`Cairn: this session joined the work item ${joined}. Undo: cairn work leave`) : nothing,
  );
};
