import { context, nothing } from '../../model/reply.ts';
import type { Handler } from './handler.ts';

/** Tells whoever makes the summary what the session cannot do without. */
export const compactStart: Handler<'compact-start'> = (_, memory) => {
  const text = memory.forCompaction();
  return text === '' ? nothing : context(text);
};
