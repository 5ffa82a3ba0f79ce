import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NO_CONTEXT } from '../context/context.ts';
import { openForHook } from '../memory/open-for-hook.ts';
import { writeAtomically } from '../platform/files.ts';
import { type AnswerCall, projectFolderOf } from './answers/answer-call.ts';
import { buildCompactionList } from './answers/compaction.ts';
import { buildFileContext } from './answers/file.ts';
import { claimStartWithPrompt } from './answers/first-prompt.ts';
import { buildPromptContext, type PromptSearch } from './answers/prompt.ts';
import { buildStartContext } from './answers/start.ts';
import type { Answers } from './handlers/handler.ts';
import { findProblems } from './problems.ts';

export interface AnswerOptions extends Omit<AnswerCall, 'openStore'> {
  /** How long to wait for the database. */
  busyMs: number;
  ownFile?: string | undefined;
  search?: PromptSearch | undefined;
}

/** Answers for one hook call, from the store after a short intake. */
export function openAnswers(options: AnswerOptions): Answers & { close(): void } {
  const { paths, env, event, ownFile, busyMs, search } = options;
  const folder = projectFolderOf(options);
  const memory = openForHook(options, { event, ownFile, folder, busyMs });
  const call: AnswerCall = { ...options, openStore: memory.store };

  function claimFirstSession(): boolean {
    const mark = join(paths.state, 'welcomed');
    if (existsSync(mark)) return false;
    memory.store();
    try {
      writeAtomically(mark, '');
      return true;
    } catch {
      // Without the mark every session would begin with it.
      return false;
    }
  }

  return {
    // An agent that accepts no context at its start gets it with the first prompt.
    buildStartContext: (source) =>
      event.kind === 'session-start' && !options.agent.context.start
        ? NO_CONTEXT
        : buildStartContext(call, source),
    claimStartWithPrompt: () => claimStartWithPrompt(call),
    buildPromptContext: (text) => buildPromptContext(call, search, text),
    buildFileContext: (path) => buildFileContext(call, path),
    buildCompactionList: () => buildCompactionList(call),
    claimFirstSession,
    findProblems: () => {
      // Opening the store ingests, so `unread` is the number of files that are left.
      memory.store();
      return findProblems(options, { env, waiting: memory.unread() });
    },
    close: memory.close,
  };
}
