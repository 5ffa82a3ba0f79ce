import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/json.ts';
import type { PlayedCall, Step } from './session.ts';

type Fate = Pick<PlayedCall, 'goes' | 'shows'>;

/** The tool calls of a session in one project, each with an id of its own. */
export function callsIn(projectDir: string) {
  const at = (path: string) => join(projectDir, path);
  return {
    /** A command that ends well. */
    run: (command: string, description: string, shows?: string) =>
      call('Bash', { command, description }, fate('well', shows)),
    /** A command that ends with an error, as a red test does. */
    fail: (command: string, description: string, shows?: string) =>
      call('Bash', { command, description }, fate('wrong', shows)),
    /** A command that is stopped before its end. */
    cut: (command: string, description: string) => call('Bash', { command, description }, fate('nowhere')),
    /** A command that goes on while the agent does something else. */
    background: (command: string, description: string) =>
      call('Bash', { command, description, run_in_background: true }),
    read: (path: string) => call('Read', { file_path: at(path) }),
    readPart: (path: string, offset: number, limit: number) =>
      call('Read', { file_path: at(path), offset, limit }),
    edit: (path: string, before: string, after: string) =>
      call('Edit', { file_path: at(path), old_string: before, new_string: after }),
    /** An edit that the client refuses. */
    missedEdit: (path: string, before: string, after: string) =>
      call('Edit', { file_path: at(path), old_string: before, new_string: after }, fate('wrong')),
    write: (path: string, content: string) => call('Write', { file_path: at(path), content }),
    delegate: (description: string, prompt: string) =>
      call('Agent', { description, prompt, subagent_type: 'general-purpose', run_in_background: false }),
  };
}

/** What the agent says to the person. */
export function say(text: string): Step {
  return { text };
}

/** The calls several at a time, as an agent makes calls that do not depend on each other. */
export function together(calls: Step[], atOnce = 4): Step[][] {
  const turns: Step[][] = [];
  for (let first = 0; first < calls.length; first += atOnce) turns.push(calls.slice(first, first + atOnce));
  return turns;
}

function fate(goes: PlayedCall['goes'], shows?: string): Fate {
  return shows === undefined ? { goes } : { goes, shows };
}

function call(tool: string, input: JsonObject, ends: Fate = { goes: 'well' }): PlayedCall {
  return { id: `toolu_01${randomUUID().replaceAll('-', '').slice(0, 22)}`, tool, input, ...ends };
}
