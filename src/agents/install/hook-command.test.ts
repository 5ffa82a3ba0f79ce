import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildHookCommand, isHookCommand } from './hook-command.ts';

const place = {
  platform: 'linux' as NodeJS.Platform,
  captureScript: '/home/u/.cairn/capture.sh',
  interpreter: '/usr/bin/node',
  hookProgram: '/opt/cairn/hook.cjs',
};
const commandFor = (more: Partial<typeof place>) => buildHookCommand('claude-code', { ...place, ...more });
const isOurCommand = (command: string) => isHookCommand('claude-code', command);

it.each([
  'capture.sh claude-code Stop',
  "sh '/home/u/capture.sh' Stop",
  'set -- claude-code x; . ./other.sh',
  'node hook.cjs Stop',
  'echo claude-code',
])('does not recognize a foreign command: %s', (foreign) => {
  expect(isOurCommand(foreign)).toBe(false);
});

it('recognizes only commands of the given agent', () => {
  const other = buildHookCommand('codex', place)('Stop');
  expect([isHookCommand('codex', other), isHookCommand('claude-code', other)]).toEqual([true, false]);
});

it('calls node on Windows, with spaces in paths', () => {
  const onWindows = commandFor({
    platform: 'win32',
    interpreter: 'C:\\Program Files\\nodejs\\node.exe',
    hookProgram: 'C:\\Users\\A B\\cairn\\dist\\hook.cjs',
  });
  expect(onWindows('PostToolUse')).toBe(
    '"C:/Program Files/nodejs/node.exe" "C:/Users/A B/cairn/dist/hook.cjs" claude-code PostToolUse settings',
  );
  expect(isOurCommand(onWindows('Stop'))).toBe(true);
});

describe('the command in a real shell', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cairn-command-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const shells = [['sh'], ['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh']].filter(
    ([program = '']) => !spawnSync(program, ['-c', ':']).error,
  );
  const folders = ['plain', 'with space', "o'neil", '$HOME `id` "x" \\ ;&', 'ü 語'];

  const run = (shell: string[], script: string) => {
    const [program = '', ...options] = shell;
    const { status, stdout, stderr } = spawnSync(
      program,
      [...options, '-c', commandFor({ captureScript: script })('PostToolUse')],
      { encoding: 'utf8', input: '{"payload": 1}', cwd: root },
    );
    return { status, stdout, stderr };
  };

  describe.each(shells.map((shell) => ({ shell, name: shell.join(' ') })))('$name', ({ shell }) => {
    it.each(folders)('sources the script in a folder named %s, with arguments and stdin', (folder) => {
      mkdirSync(join(root, folder));
      const script = join(root, folder, 'capture.sh');
      writeFileSync(script, 'printf "%s|" "$@"; cat\n');
      expect(run(shell, script)).toEqual({
        status: 0,
        stdout: 'claude-code|PostToolUse|settings|{"payload": 1}',
        stderr: '',
      });
      expect(isOurCommand(commandFor({ captureScript: script })('Stop'))).toBe(true);
    });

    it('silently exits with 0 if the script is missing', () => {
      expect(run(shell, join(root, 'gone', 'capture.sh'))).toEqual({ status: 0, stdout: '', stderr: '' });
    });

    it('exits with 0 if the script is invalid or fails, but passes on an explicit exit', () => {
      const script = join(root, 'capture.sh');
      mkdirSync(script);
      expect(run(shell, script).status).toBe(0);
      rmSync(script, { recursive: true });
      writeFileSync(script, 'if true; then\n');
      expect(run(shell, script).status).toBe(0);
      writeFileSync(script, 'false\n');
      expect(run(shell, script).status).toBe(0);
      writeFileSync(script, 'exit 2\n');
      expect(run(shell, script).status).toBe(2);
    });

    it('exits with 0 if the script disappears between the test and the read', () => {
      const script = join(root, 'capture.sh');
      writeFileSync(script, '');
      chmodSync(script, 0o600);
      const vanishing = commandFor({ captureScript: script })('Stop').replace('set --', 'rm "$f"; set --');
      const [program = '', ...options] = shell;
      expect(spawnSync(program, [...options, '-c', vanishing]).status).toBe(0);
    });
  });
});
