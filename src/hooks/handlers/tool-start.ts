import { context, nothing } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Says what is known of a file that is about to be read. Whether it may be read is none of our business. */
export const toolStart: Handler<'tool-start'> = (event, answers) => {
  const [file] = event.call.does === 'read' ? event.call.files : [];
  if (!file) return nothing;
  const { text } = answers.buildFileContext(file.path);
  return text === '' ? nothing : context(text);
};
