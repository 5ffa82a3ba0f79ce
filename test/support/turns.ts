import type { Turn, TurnCall } from '../../src/distill/turn.ts';
import type { Distilled } from '../../src/model/memory.ts';

export const PROJECT = '/home/robin/orchard';

/** A turn of a person who asks something, with the parts that a test is about. */
export function turnWith(parts: Partial<Turn> = {}): Turn {
  return {
    folder: PROJECT,
    prompt: 'The total of an order with a discount is wrong, please fix it.',
    promptOrigin: 'person',
    earlierPrompts: [],
    earlierWords: '',
    changedFiles: [],
    calls: [],
    said: [],
    reports: [],
    closingWords: 'Fixed: the discount was taken off after the tax. All 12 tests pass.',
    closedBy: 'turn-end',
    ...parts,
  };
}

export const NOTHING_FOUND: Distilled = { observations: [], summary: null };

export function edit(event: number, path: string, before: string, after: string): TurnCall {
  const lines = [
    ...before.split('\n').map((line) => `-${line}`),
    ...after.split('\n').map((line) => `+${line}`),
  ];
  const file = `${PROJECT}/${path}`;
  return {
    event,
    tool: 'Edit',
    does: 'change',
    outcome: 'success',
    priority: 'high',
    input: { file_path: file, old_string: before, new_string: after, replace_all: false },
    response: {
      filePath: file,
      oldString: before,
      newString: after,
      structuredPatch: [
        { oldStart: 8, oldLines: 5, newStart: 8, newLines: 5, lines: [' {', ...lines, ' }'] },
      ],
    },
    files: [{ path: file, how: 'write' }],
  };
}

export function write(event: number, path: string, content: string): TurnCall {
  const file = `${PROJECT}/${path}`;
  return {
    event,
    tool: 'Write',
    does: 'change',
    outcome: 'success',
    priority: 'high',
    input: { file_path: file, content },
    response: { type: 'create', filePath: file, content, structuredPatch: [] },
    files: [{ path: file, how: 'write' }],
  };
}

export function read(event: number, path: string): TurnCall {
  const file = `${PROJECT}/${path}`;
  return {
    event,
    tool: 'Read',
    does: 'read',
    outcome: 'success',
    priority: 'low',
    input: { file_path: file },
    response: { type: 'text', file: { filePath: file, content: 'THE WHOLE FILE\n'.repeat(200) } },
    files: [{ path: file, how: 'read' }],
  };
}

export function command(
  event: number,
  line: string,
  output: string,
  outcome: TurnCall['outcome'] = 'success',
): TurnCall {
  return {
    event,
    tool: 'Bash',
    does: 'command',
    outcome,
    priority: 'normal',
    command: line,
    input: { command: line },
    response: outcome === 'success' ? { stdout: output, stderr: '', interrupted: false } : output,
    files: [],
  };
}

/** A prompt and eight small edits. */
export function eightSmallEdits(): Turn {
  const calls = Array.from({ length: 8 }, (_, at) =>
    edit(
      at + 1,
      `src/orders/part-${at}.ts`,
      `  const price = order.net - order.discount;\n  return price * ${at};`,
      `  // The discount comes off before the tax.\n  const price = (order.net - order.discount) * TAX;\n  return round(price);`,
    ),
  );
  return turnWith({ calls });
}

/** A realistic mix: of ten calls five read, three edit, and two run a command, one of which fails. */
export function longTurn(length: number): Turn {
  const calls = Array.from({ length }, (_, at) => {
    const kind = at % 10;
    const path = `src/module-${Math.floor(at / 10)}/file-${kind}.ts`;
    if (kind < 5) return read(at, path);
    if (kind < 8) {
      return edit(
        at,
        path,
        `const before = ${at};\nreturn before;`,
        `const after = ${at + 1};\nlog(after);\nreturn after;`,
      );
    }
    const output = `${'PASS some/test/file.test.ts (12 tests)\n'.repeat(20)}Tests: ${at} passed`;
    if (kind === 8) return command(at, `npx vitest run src/module-${Math.floor(at / 10)}`, output);
    return command(
      at,
      'npm test',
      `Exit code 1\n${output}\nAssertionError: expected ${at} to be ${at + 1}`,
      'failure',
    );
  });
  return turnWith({ calls });
}
