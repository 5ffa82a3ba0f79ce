import { all, context, nothing, notice } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Only a person's prompts are searched for; notifications are not. */
export const prompt: Handler<'prompt'> = (event, answers) => {
  if (event.origin === 'machine') return nothing;
  // Built before the prompt's own context, which leaves out memories that were already given.
  const start = answers.claimStartWithPrompt() ? answers.buildStartContext('startup').text : '';
  const { text, joined } = answers.buildPromptContext(event.text);
  return all(
    start === '' ? nothing : context(start),
    text === '' ? nothing : context(text),
    joined ? notice(`Cairn: this session joined the work item ${joined}. Undo: cairn work leave`) : nothing,
  );
};
