import { callsIn, say } from './calls.ts';
import type { DistillSession, Step } from './session.ts';

/** A short conversation in which something is corrected, or nothing is although it looks like it. */
export interface Conversation {
  id: string;
  language: string;
  kind: 'correction' | 'control';
  turns: ConversationTurn[];
  /** Sentences, as they are in the conversation, that are false or outdated at its end. */
  false: string[];
  /** Sentences worth keeping that still hold. */
  stays: string[];
}

interface ConversationTurn {
  prompt: string;
  /** What the agent says between its calls. */
  between?: string[];
  /** Of a subagent. */
  report?: string;
  edits?: { file: string; before: string; after: string }[];
  closing: string;
}

/** The conversation as a session that can be told: the agent looks something up after each thing it says. */
export function asSession({ id, turns }: Conversation): DistillSession {
  const reports = turns.flatMap(({ report }) => (report === undefined ? [] : [report]));
  return {
    name: id,
    about: '',
    files: {},
    prompts: turns.map(({ prompt }) => prompt),
    script: (dir) => {
      const { run, edit } = callsIn(dir);
      return {
        main: turns.flatMap(({ between = [''], edits = [], closing }, turn): Step[][] => [
          ...between.map((text, at) => [
            ...(text === '' ? [] : [say(text)]),
            run(`grep -rn needle src/${turn}/${at}`, 'Look'),
          ]),
          ...(edits.length === 0 ? [] : [edits.map(({ file, before, after }) => edit(file, before, after))]),
          [say(closing)],
        ]),
        subagents: Object.fromEntries(reports.map((report, at) => [`Report ${at}`, [[say(report)]]])),
      };
    },
    expects: { essentials: [], summaries: [], noise: [] },
  };
}
