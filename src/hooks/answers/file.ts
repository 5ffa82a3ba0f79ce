import { redactValue } from '../../capture/redact/redact-value.ts';
import { type Context, NO_CONTEXT } from '../../context/context.ts';
import { formatFileIntro, pathFromTop, selectForFile } from '../../context/file.ts';
import { dropKnownFile } from '../../context/known-files.ts';
import { type AnswerCall, buildInProject } from './answer-call.ts';
import { giveMemories } from './give-memories.ts';

/**
 * The context before a file is read. Not for subagents: they have their own conversation, and a memory given there
 * would be missing from the session's.
 */
export function buildFileContext(call: AnswerCall, path: string): Context {
  const { settings, event, paths } = call;
  if (settings['context.file'] === 'off' || event.subagent) return NO_CONTEXT;
  return buildInProject(call, (open) => {
    const { store, request } = open;
    const file = pathFromTop(path, request.top, event.cwd ?? request.top);
    const context = giveMemories(open, 'file', formatFileIntro(redactValue(file)), ({ whole }, leftOut) =>
      selectForFile(store, request, file, whole, leftOut),
    );
    dropKnownFile(paths, event.sessionId, file);
    return context;
  });
}
