import { context, nothing } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Lists for the summarizing model what the session needs. */
export const compactStart: Handler<'compact-start'> = (_, answers) => {
  const text = answers.buildCompactionList();
  return text === '' ? nothing : context(text);
};
