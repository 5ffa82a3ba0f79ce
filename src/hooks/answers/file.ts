import { redactValue } from '../../capture/redact/redact-value.ts';
import { type Context, NO_CONTEXT } from '../../context/context.ts';
import { formatFileIntro, pathFromTop, selectForFile } from '../../context/file.ts';
import { dropKnownFile } from '../../context/known-files.ts';
import { type AnswerCall, buildInProject } from './answer-call.ts';
import { giveMemories } from './give-memories.ts';

/** What is given before a file is read. A subagent has a conversation of its own: what it gets the session could not get. */
export function buildFileContext(call: AnswerCall, path: string): Context {
  const { settings, event, paths } = call;
  if (settings['context.file'] === 'off' || event.subagent) return NO_CONTEXT;
  return buildInProject(call, (open) => {
    const { store, request } = open;
    const file = pathFromTop(path, request.top, event.cwd ?? request.top);
    const context = giveMemories(open, 'file', formatFileIntro(redactValue(file)), (given) =>
      selectForFile(store, request, file, given),
    );
    dropKnownFile(paths, event.sessionId, file);
    return context;
  });
}
