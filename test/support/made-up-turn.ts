import type { Turn, TurnCall } from '../../src/distill/turn.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';

/** Turns made by hand: a test states only what its rule is about. */
export function turnOf(parts: Partial<Omit<Turn, 'calls'>> & { calls?: MadeUpCall[] }): Turn {
  const { calls = [], ...rest } = parts;
  return {
    folder: '/home/ada/shop',
    prompt: '',
    promptOrigin: 'person',
    earlierPrompts: [],
    earlierWords: '',
    changedFiles: [],
    said: [],
    reports: [],
    closingWords: '',
    closedBy: 'turn-end',
    ...rest,
    calls: calls.map((call, index) => ({ ...call, event: index + 1 })),
  };
}

export type MadeUpCall = Omit<TurnCall, 'event'>;

export function read(path: string): MadeUpCall {
  const file = absolute(path);
  return { ...plain('Read', 'read', { file_path: file }), files: [{ path: file, how: 'read' }] };
}

export function edited(path: string, before: string, after: string, around: string[] = []): MadeUpCall {
  const file = absolute(path);
  const lines = [...around.map((line) => ` ${line}`), ...diff('-', before), ...diff('+', after)];
  return {
    ...plain('Edit', 'change', { file_path: file, old_string: before, new_string: after }),
    response: { filePath: file, structuredPatch: [{ lines }] },
    files: [{ path: file, how: 'write' }],
  };
}

export function wrote(path: string, content: string): MadeUpCall {
  const file = absolute(path);
  return {
    ...plain('Write', 'change', { file_path: file, content }),
    response: { type: 'create', filePath: file },
    files: [{ path: file, how: 'write' }],
  };
}

export function ran(command: string, stdout = ''): MadeUpCall {
  return { ...plain('Bash', 'command', { command }), command, response: { stdout, stderr: '' } };
}

export function failed(command: string, output = ''): MadeUpCall {
  return { ...ran(command), outcome: 'failure', response: `Exit code 1\n${output}` };
}

export function called(tool: string, input: JsonObject, response: Json = null): MadeUpCall {
  return { ...plain(tool, 'meta', input), response };
}

function plain(tool: string, does: TurnCall['does'], input: JsonObject): MadeUpCall {
  return { tool, does, outcome: 'success', priority: 'normal', input, response: null, files: [] };
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/home/ada/shop/${path}`;
}

function diff(sign: string, text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => sign + line);
}
