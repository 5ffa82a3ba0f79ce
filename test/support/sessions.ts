import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolOutcome } from '../../src/model/agent-event.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { ModelScript } from './scripted-model.ts';

/** A tool call of a scripted session, and its outcome in the client. */
export interface ScriptedCall {
  id: string;
  tool: string;
  input: JsonObject;
  outcome: ToolOutcome;
  /** The hook events that name the call, in order. */
  hooks: readonly string[];
  by: 'main' | 'subagent';
}

const DONE = { outcome: 'success', hooks: ['PreToolUse', 'PostToolUse', 'PostToolBatch'] } as const;
const FAILED = { outcome: 'failure', hooks: ['PreToolUse', 'PostToolUseFailure', 'PostToolBatch'] } as const;
/** The client rejects the call as invalid. */
const INVALID = { outcome: 'refused', hooks: ['PostToolBatch'] } as const;
/** The person's rules forbid the call. */
const FORBIDDEN = { outcome: 'refused', hooks: ['PreToolUse', 'PostToolBatch'] } as const;

export interface ScriptedSession {
  script: ModelScript;
  prompts: string[];
  settings: JsonObject;
  /** Ends the background task last: its notification is then always a separate turn. */
  whenAnswered: () => Promise<void>;
  calls: ScriptedCall[];
  /** The last words of each turn; the last turn answers the background task's notification. */
  finalTexts: string[];
  subagentText: string;
}

const SUBAGENT_MARKER = '[[COUNT-THE-TREES]]';

/** A session with every kind of tool call and outcome, spread over two prompts. */
export function everyKindOfCall(projectDir: string): ScriptedSession {
  // Unique ids and files: the session can be played again in the same project.
  const tag = randomUUID().slice(0, 8);
  const calls: ScriptedCall[] = [];
  const call = (
    name: string,
    tool: string,
    input: JsonObject,
    fate: Pick<ScriptedCall, 'outcome' | 'hooks'> = DONE,
    by: ScriptedCall['by'] = 'main',
  ) => {
    const id = `toolu_${name}_${tag}`;
    calls.push({ id, tool, input, ...fate, by });
    return { tool, input, id };
  };
  const trees = join(projectDir, `trees-${tag}.txt`);
  const count = join(projectDir, `count-${tag}.txt`);
  const gate = join(projectDir, `gate-${tag}-is-open`);

  const firstAnswer = 'FIRST-ANSWER: the orchard has two apple trees now.';
  const secondAnswer = 'SECOND-ANSWER: the orchard is counted, nothing is left to do.';
  const notificationAnswer = 'NOTIFICATION-ANSWER: the background task has ended.';
  const subagentText = 'SUBAGENT-ANSWER: I counted two trees.';

  const script: ModelScript = {
    main: [
      [
        { thinking: 'THOUGHT-MARK: look first.' },
        { text: 'I look around first.' },
        call('bash', 'Bash', { command: 'echo BASH-MARK; echo BASH-STDERR-MARK >&2', description: 'Look' }),
      ],
      [call('write', 'Write', { file_path: trees, content: 'one apple tree WRITE-MARK\n' })],
      [call('read', 'Read', { file_path: trees })],
      [
        call('edit', 'Edit', {
          file_path: trees,
          old_string: 'one apple tree',
          new_string: 'two apple trees',
        }),
      ],
      [
        call('parallel_a', 'Bash', { command: 'echo PARALLEL-A-MARK', description: 'First of two' }),
        call('parallel_b', 'Bash', { command: 'echo PARALLEL-B-MARK', description: 'Second of two' }),
      ],
      [call('failing', 'Bash', { command: 'echo FAILING-MARK >&2; exit 3', description: 'Fail' }, FAILED)],
      [
        call(
          'edit_misses',
          'Edit',
          { file_path: trees, old_string: 'NO-SUCH-TEXT-MARK', new_string: 'never' },
          INVALID,
        ),
      ],
      [call('unknown_tool', 'PlantTree', { kind: 'UNKNOWN-TOOL-MARK' }, INVALID)],
      [call('denied', 'Bash', { command: 'fell DENIED-MARK', description: 'Fell a tree' }, FORBIDDEN)],
      [
        call('agent', 'Agent', {
          description: 'Count the trees',
          prompt: `${SUBAGENT_MARKER} Count the trees and write the number down.`,
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      ],
      [
        call('background', 'Bash', {
          command: `for i in $(seq 300); do [ -e ${gate} ] && break; sleep 0.1; done; echo BACKGROUND-MARK`,
          description: 'Grow in the background',
          run_in_background: true,
        }),
      ],
      [{ text: firstAnswer }],
      [call('after', 'Bash', { command: `cat ${trees} ${count}`, description: 'Check the count' })],
      [{ text: secondAnswer }],
    ],
    subagents: {
      [SUBAGENT_MARKER]: [
        [
          { text: 'I count.' },
          call('sub_bash', 'Bash', { command: `echo SUB-BASH-MARK; cat ${trees}` }, DONE, 'subagent'),
        ],
        [call('sub_write', 'Write', { file_path: count, content: '2 SUB-WRITE-MARK\n' }, DONE, 'subagent')],
        [{ text: subagentText }],
      ],
    },
    notification: [[{ text: notificationAnswer }]],
  };

  return {
    script,
    prompts: ['FIRST-PROMPT: plant a second apple tree', 'SECOND-PROMPT: check the count'],
    settings: {
      permissions: { allow: ['Bash', 'Write', 'Edit', 'Read', 'Agent'], deny: ['Bash(fell:*)'] },
    },
    whenAnswered: () => writeFile(gate, ''),
    calls,
    finalTexts: [firstAnswer, secondAnswer, notificationAnswer],
    subagentText,
  };
}
