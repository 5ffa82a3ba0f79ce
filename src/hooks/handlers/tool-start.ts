import { context, nothing } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Gives memories about a file that is about to be read. It never decides whether the file may be read. */
export const toolStart: Handler<'tool-start'> = (event, answers) => {
  const [file] = event.call.does === 'read' ? event.call.files : [];
  if (!file) return nothing;
  const { text } = answers.buildFileContext(file.path);
  return text === '' ? nothing : context(text);
};
