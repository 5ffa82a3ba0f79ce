import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { tryLock } from '../../src/store/sqlite/lock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { type HookWorld, installedCommand, makeHookWorld, recorded } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

/** The shells behind /bin/sh: of Debian and Ubuntu, of Red Hat and macOS, of Alpine. */
const SHELLS = [
  { name: 'dash', argv: ['dash'] },
  { name: 'bash', argv: ['bash', '--posix'] },
  { name: 'busybox', argv: ['busybox', 'sh'] },
].map((shell) => ({ ...shell, isHere: isInstalled(shell.argv) }));

describe.each(SHELLS)('capture.sh in $name', ({ argv, isHere }) => {
  const it = test.skipIf(!isHere);

  it.each([
    ['JSON', Buffer.from(recorded('events/Stop'))],
    ['an empty payload', Buffer.alloc(0)],
    ['every byte value', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['NUL and invalid UTF-8', Buffer.from([0x7b, 0x00, 0xff, 0xc3, 0x28, 0x0a, 0x00])],
    ['lines that look like ours', Buffer.from('cairn1 a b c d\n\n#none.x\n\n\n')],
    ['5 MB', Buffer.alloc(5 * 1024 * 1024, 'payload\0\xff\n', 'latin1')],
  ])('keeps %s byte for byte, between header and end mark', (_name, payload) => {
    const world = makeHookWorld(tempFolder());
    expect(call(world, 'PostToolUse', payload)).toEqual(QUIET);
    const [file] = spoolOf(world);
    const header = `cairn1 claude-code PostToolUse settings ${world.project}\n`;
    const expected = Buffer.concat([Buffer.from(header), payload, Buffer.from(`\n#${file?.name}\n`)]);
    expect(file?.bytes.equals(expected)).toBe(true);
    expect(file?.mode).toBe(0o600);
  });

  it.each([
    ['spaces', 'a project  of mine', 'a project  of mine'],
    ['quotes', `it's "mine" \`id\` $HOME \\n %s`, `it's "mine" \`id\` $HOME \\n %s`],
    ['a leading dash', '-n', '-n'],
    ['a line break', 'one\ntwo', ''],
    ['an empty path', '', ''],
  ])('handles a project directory with %s', (_name, given, kept) => {
    const world = makeHookWorld(tempFolder());
    expect(call(world, 'Stop', '{}', { CLAUDE_PROJECT_DIR: given })).toEqual(QUIET);
    expect(headersIn(world)).toEqual([`cairn1 claude-code Stop settings ${kept}`]);
  });

  it.each([
    ['a UUID', '5a531191-a0d2-4bc2-8ba7-993923113dce', '5a531191-a0d2-4bc2-8ba7-993923113dce'],
    ['an underscore', 'ses_e18048525ffe', 'ses_e18048525ffe'],
    ['none', '', 'none'],
    ['a path', '../../escape', 'none'],
    ['dots', 'a.b', 'none'],
    ['a command', '$(touch x);`touch y`', 'none'],
    ['line breaks', 'a\nb', 'none'],
    ['a star', '*', 'none'],
    ['letters outside of ASCII', 'sößion', 'none'],
    ['40 characters', 'a'.repeat(40), 'a'.repeat(40)],
    ['41 characters', 'a'.repeat(41), 'none'],
  ])('puts only a valid session id into the file name: %s', (_name, session, owner) => {
    const world = makeHookWorld(tempFolder());
    expect(call(world, 'Stop', '{}', { CLAUDE_CODE_SESSION_ID: session })).toEqual(QUIET);
    expect(spoolOf(world).map(({ name }) => name)).toEqual([
      expect.stringMatching(new RegExp(`^${owner}\\.[0-9a-f-]{36}$`)),
    ]);
    expect(readdirSync(world.project)).toEqual([]);
  });

  it('writes a new file for every event', () => {
    const world = makeHookWorld(tempFolder());
    for (let i = 0; i < 10; i++) call(world, 'PostToolUse', '{}');
    expect(new Set(spoolOf(world).map(({ name }) => name)).size).toBe(10);
  });

  it('never writes into an existing file', () => {
    const world = makeHookWorld(tempFolder());
    useTheSameNameAlways(world);
    writeFileSync(join(world.paths.spool, 'none.taken'), 'somebody else wrote this');
    point(world, 'cairn_hook', '/nowhere');
    expect(call(world, 'PostToolUse', '{}')).toEqual(QUIET);
    expect(spoolOf(world).map(({ bytes }) => bytes.toString())).toEqual(['somebody else wrote this']);
  });

  it('works in a home with spaces and quotes', () => {
    const world = makeHookWorld(tempFolder(), `my "cairn's" $home`);
    const { CAIRN_HOME: _, ...env } = world.env;
    expect(call({ ...world, env }, 'Stop', '{}')).toEqual(QUIET);
    expect(headersIn(world)).toEqual([`cairn1 claude-code Stop settings ${world.project}`]);
  });

  it('creates a deleted spool again, for its owner only', () => {
    const world = makeHookWorld(tempFolder());
    rmSync(world.paths.spool, { recursive: true });
    writeFileSync(world.paths.failures, 'an earlier failure\n');
    expect(call(world, 'PostToolUse', '{"a":1}')).toEqual(QUIET);
    expect(spoolOf(world)).toHaveLength(1);
    expect(statSync(world.paths.spool).mode & 0o777).toBe(0o700);
    expect(readFileSync(world.paths.failures, 'utf8')).toBe('');
  });

  it('ends the streak of failures after a success, wherever it was counted', () => {
    const world = makeHookWorld(tempFolder());
    const away = join(world.root, 'runtime', `cairn-${process.getuid?.()}`);
    mkdirSync(away);
    for (const file of [world.paths.failures, join(away, 'failures')])
      writeFileSync(file, 'an earlier failure\n');
    expect(call(world, 'PostToolUse', '{}')).toEqual(QUIET);
    expect([
      readFileSync(world.paths.failures, 'utf8'),
      readFileSync(join(away, 'failures'), 'utf8'),
    ]).toEqual(['', '']);
  });

  it.each([
    ['while CAIRN_GUARD is set', { CAIRN_GUARD: '1' }],
    ['in Cursor, which loads these hooks too', { CLAUDECODE: '', CURSOR_VERSION: '1.7.0' }],
    ['in Copilot, which loads these hooks too', { CLAUDECODE: '', COPILOT_CLI: '1' }],
  ])('keeps nothing %s', (_name, env) => {
    const world = makeHookWorld(tempFolder());
    expect(call(world, 'Stop', '{}', env)).toEqual(QUIET);
    expect(spoolOf(world)).toEqual([]);
  });

  it("keeps events of Claude Code in another agent's terminal", () => {
    const world = makeHookWorld(tempFolder());
    expect(call(world, 'Stop', '{}', { CURSOR_VERSION: '1.7.0', COPILOT_CLI: '1' })).toEqual(QUIET);
    expect(spoolOf(world)).toHaveLength(1);
  });

  it("does not pass the environment of the agent's node to ours", () => {
    const world = makeHookWorld(tempFolder());
    const seen = recordNode(world);
    const env = {
      NODE_OPTIONS: '--require /nowhere.js',
      NODE_EXTRA_CA_CERTS: '/nowhere.pem',
      CAIRN_NO_WORKER: '',
    };
    expect(call(world, 'SessionStart', '{}', env)).toEqual(QUIET);
    expect(call(world, 'Stop', '{}', env)).toEqual(QUIET);
    expect(waitForLines(seen, 2).sort()).toEqual([
      // Only the worker may have to reach a model behind the person's own certificate.
      expect.stringMatching(/worker\.cjs \/ options= certs=\/nowhere\.pem$/),
      expect.stringMatching(
        /^claude-code SessionStart settings handed-over none\.[0-9a-f-]+ \/ options= certs=$/,
      ),
    ]);
  });

  it.each([
    ['Stop', 1],
    ['StopFailure', 1],
    ['SessionEnd', 1],
    ['PostToolUse', 0],
    ['PreToolUse', 0],
  ])('%s starts %i workers', async (event, workers) => {
    const world = makeHookWorld(tempFolder());
    const seen = recordNode(world);
    expect(call(world, event, '{}', { CAIRN_NO_WORKER: '' })).toEqual(QUIET);
    if (workers === 0) await wait(50);
    expect(waitForLines(seen, workers)).toHaveLength(workers);
  });

  const KNOWN = 'case $cairn_path in */src/a.ts|*/src/b*.ts) cairn_known=1 ;; esac\n';
  const read = (path: string) =>
    `{"tool_name":"Read","tool_input":{"file_path":"${path}"},"cwd":"/src/a.ts"}`;
  it.each([
    ['a known file', KNOWN, read('/home/me/src/a.ts'), true],
    ['a file like a known one', KNOWN, read('/home/me/src/b b.ts'), true],
    ['another file', KNOWN, read('/home/me/src/c.ts'), false],
    ['a file whose name only begins like a known one', KNOWN, read('/home/me/src/a.tsx'), false],
    ['no file at all', KNOWN, '{"tool_name":"ExitPlanMode","tool_input":{},"cwd":"/src/a.ts"}', false],
    ['an empty payload', KNOWN, '', false],
    ['a known file, with a line end', KNOWN, `${read('/home/me/src/a.ts')}\n`, true],
    ['a payload of three lines', KNOWN, `${read('/home/me/src/a.ts')}\n{}\n{}`, false],
    ['bytes that are not text', KNOWN, Buffer.from([0x7b, 0xff, 0xc3, 0x28, 0x0a, 0xfe]), false],
    ['a damaged list of known files', 'case $cairn_path in */src/a.ts|', read('/home/me/src/a.ts'), false],
    ['an empty list of known files', '', read('/home/me/src/a.ts'), false],
  ])(
    'keeps the event before a read, and starts node only for a known file: %s',
    (_name, list, payload, asks) => {
      const world = makeHookWorld(tempFolder());
      const seen = join(world.root, 'asked');
      replaceNode(world, `echo "$4 $5" >'${seen}'; cat >>'${seen}'`);
      mkdirSync(world.paths.knownFiles);
      writeFileSync(join(world.paths.knownFiles, 'session-1'), list);
      expect(call(world, 'PreToolUse', payload, { CLAUDE_CODE_SESSION_ID: 'session-1' })).toEqual(QUIET);
      const [file] = spoolOf(world);
      const header = `cairn1 claude-code PreToolUse settings ${world.project}\n`;
      const kept = Buffer.concat([
        Buffer.from(header),
        Buffer.from(payload),
        Buffer.from(`\n#${file?.name}\n`),
      ]);
      expect(file?.bytes.equals(kept)).toBe(true);
      expect(existsSync(seen) ? readFileSync(seen, 'utf8') : '').toBe(
        asks ? `settings handed-over\n${kept}` : '',
      );
    },
  );

  it.each([
    ['SessionStart', '', 1],
    ['UserPromptSubmit', '', 1],
    ['UserPromptSubmit', 'quiet-prompts', 0],
    ['PostToolUse', '', 0],
    ['PostToolUse', 'outbox', 1],
  ])('%s with the mark "%s" starts node %i times', (event, mark, times) => {
    const world = makeHookWorld(tempFolder());
    const seen = recordNode(world);
    if (mark) writeFileSync(join(world.paths.state, mark), '');
    expect(call(world, event, '{}')).toEqual(QUIET);
    expect(existsSync(seen) ? waitForLines(seen, times) : []).toHaveLength(times);
    expect(spoolOf(world)).toHaveLength(1);
  });

  it.each([
    ['0', { status: 0, calls: ['hook.cjs claude-code SessionStart settings'] }],
    ['1', { status: 0, calls: ['hook.cjs claude-code SessionStart settings'] }],
    ['2', { status: 2, calls: ['hook.cjs claude-code SessionStart settings'] }],
    ['3', { status: 0, calls: ['hook.cjs claude-code SessionStart settings', 'worker.cjs'] }],
  ])('handles exit code %s of the answer', async (code, expected) => {
    const world = makeHookWorld(tempFolder());
    const seen = join(world.root, 'calls');
    replaceNode(
      world,
      `echo "$*" | sed 's/^.*dist.//; s/ handed-over .*//' >>'${seen}'; [ "$CAIRN_SHELL_WAKES" ] && exit ${code}`,
    );
    const { status } = call(world, 'SessionStart', '{}', { CAIRN_NO_WORKER: '' });
    if (expected.calls.length === 1) await wait(50);
    expect({ status, calls: waitForLines(seen, expected.calls.length) }).toEqual(expected);
  });

  it.each([
    { ends: 0, seen: 0, workers: 0 },
    { ends: 1, seen: 0, workers: 0 },
    { ends: 2, seen: 2, workers: 0 },
    { ends: 3, seen: 0, workers: 1 },
    { ends: 127, seen: 0, workers: 0 },
  ])('node exits with $ends: the agent sees $seen, workers: $workers', async ({ ends, seen, workers }) => {
    const world = makeHookWorld(tempFolder());
    const starts = join(world.root, 'starts');
    replaceNode(
      world,
      `case "$*" in *worker.cjs) echo started >'${starts}'; exit ;; esac; echo said; exit ${ends}`,
    );
    const run = call(world, 'SessionStart', '{}', { CAIRN_NO_WORKER: '' });
    expect(run).toEqual({ ...QUIET, status: seen, stdout: 'said\n' });
    if (workers === 0) await wait(20);
    expect(waitForLines(starts, workers)).toHaveLength(workers);
  });

  it.each([
    ['is killed', 'kill -9 $$'],
    ['aborts', 'exit 134'],
    ['does not start', 'exit 127'],
  ])('keeps events although node %s, and reports the third failure in a row once', (_name, script) => {
    const world = makeHookWorld(tempFolder());
    replaceNode(world, script);
    const payload = recorded('events/UserPromptSubmit');
    const outputs = [1, 2, 3, 4].map(() => {
      const { status, stdout, stderr } = call(world, 'UserPromptSubmit', payload);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    });
    expect(outputs).toEqual([
      '',
      '',
      expect.stringMatching(
        /^\{"systemMessage":"Cairn: node failed 3 times in a row \(exit code \d+\), and events are kept, but not answered.*\}\n$/,
      ),
      '',
    ]);
    expect(spoolOf(world).map(({ bytes }) => bytes.includes(payload))).toEqual([true, true, true, true]);
    replaceNode(world, 'exit 0');
    call(world, 'UserPromptSubmit', payload);
    expect(readFileSync(join(world.paths.state, 'node-failures'), 'utf8')).toBe('');
  });

  it('keeps an event while the program is missing', () => {
    const world = makeHookWorld(tempFolder());
    point(world, 'cairn_hook', '/nowhere');
    expect(call(world, 'SessionStart', '{}')).toEqual(QUIET);
    expect(spoolOf(world)).toHaveLength(1);
  });

  it.each([
    ['on the PATH', 'bin/node', 'itself'],
    ['of nvm', '.nvm/versions/node/v20.19.1/bin/node', 'itself'],
    ['of fnm', '.local/share/fnm/node-versions/v22.1.0/installation/bin/node', 'itself'],
    ['of volta', '.volta/bin/node', 'what is behind it'],
    ['of asdf', '.asdf/shims/node', 'what is behind it'],
  ])('finds another node if the recorded one is gone: %s', (_name, place, used) => {
    const world = makeHookWorld(tempFolder());
    loseNode(world);
    const old = join(world.root, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), '#!/bin/sh\necho v18.20.0\n', { mode: 0o755 });
    mkdirSync(dirname(join(world.root, place)), { recursive: true });
    symlinkSync(process.execPath, join(world.root, place));
    const env = { PATH: `relative:${old}:${join(world.root, 'bin')}:` };
    const node = used === 'itself' ? join(world.root, place) : realpathSync(process.execPath);

    const first = callWithoutPath(world, 'SessionStart', env);
    const message = `Cairn: /nowhere/node is gone, so hooks use ${node}. To keep that: ${world.paths.launcher} doctor`;
    expect(first).toEqual({ ...QUIET, stdout: `${JSON.stringify({ systemMessage: message })}\n` });
    expect(readFileSync(world.paths.foundNode, 'utf8')).toBe(`${node}\n`);

    // The path is remembered: no search and no message the second time.
    writeFileSync(join(old, 'node'), `#!/bin/sh\n: >'${world.root}/searched'\n`, { mode: 0o755 });
    expect(callWithoutPath(world, 'SessionStart', env)).toEqual(QUIET);
    expect(existsSync(join(world.root, 'searched'))).toBe(false);
    expect(existsSync(join(world.paths.state, 'node-failures'))).toBe(false);
  });

  it('never runs a node that the project contains', () => {
    const world = makeHookWorld(tempFolder());
    loseNode(world);
    const folders = ['.', 'node_modules/.bin', 'bin'].map((name) => join(world.project, name));
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true });
      const text = `#!/bin/sh\n: >'${world.root}/run'\necho v22.0.0\n`;
      writeFileSync(join(folder, 'node'), text, { mode: 0o755 });
    }
    const PATH = `${folders.join(':')}:node_modules/.bin:.:${dirname(process.execPath)}`;
    callWithoutPath(world, 'SessionStart', { PATH });
    expect(existsSync(join(world.root, 'run'))).toBe(false);
    expect(readFileSync(world.paths.foundNode, 'utf8')).toBe(`${process.execPath}\n`);
  });

  /** The shell itself comes from the usual PATH; the hook sees the PATH in `env`. */
  function callWithoutPath(world: HookWorld, event: string, env: { PATH: string }) {
    const payload = recorded('events/SessionStart.startup', { cwd: world.project });
    const command = `PATH='${env.PATH}'; export PATH; cat() { /bin/cat "$@"; }; `;
    return call(world, event, payload, {}, command);
  }

  it('does not count it as a failure if node gives up on a folder (SIGALRM)', () => {
    const world = makeHookWorld(tempFolder());
    replaceNode(world, 'kill -ALRM $$');
    expect(call(world, 'SessionStart', '{}')).toEqual(QUIET);
    expect(existsSync(join(world.paths.state, 'node-failures'))).toBe(false);
  });

  it.each(['Stop', 'SessionEnd'])('%s starts the worker even if node has answered', (event) => {
    const world = makeHookWorld(tempFolder());
    writeFileSync(join(world.paths.state, 'outbox'), 'a message');
    const seen = recordNode(world);
    expect(call(world, event, '{}', { CAIRN_NO_WORKER: '' })).toEqual(QUIET);
    expect(waitForLines(seen, 2)).toHaveLength(2);
  });

  it('starts a worker that holds nothing of the hook open and outlives it', async () => {
    const world = makeHookWorld(tempFolder());
    const started = join(world.root, 'started');
    const finish = join(world.root, 'finish');
    const done = join(world.root, 'done');
    replaceNode(
      world,
      `echo started >'${started}'; while [ ! -e '${finish}' ]; do sleep 0.02; done; echo done >'${done}'`,
    );
    const hook = spawn(argv[0] ?? '', [...argv.slice(1), '-c', installedCommand(world, 'Stop')], {
      env: { ...world.env, CAIRN_NO_WORKER: '' },
      // A separate process group, which can be ended as a client ends a hook.
      detached: true,
    });
    hook.stdin.end('{}');
    hook.stdout.resume();
    hook.stderr.resume();
    // `close` comes only when no process holds the hook's stdout and stderr any more.
    const code = await new Promise((end) => hook.on('close', end));
    expect({ code, drained: existsSync(done) }).toEqual({ code: 0, drained: false });
    expect(waitForLines(started, 1)).toEqual(['started']);
    expect(() => process.kill(-(hook.pid ?? 0), 'SIGKILL')).toThrow('ESRCH');
    writeFileSync(finish, '');
    expect(waitForLines(done, 1)).toEqual(['done']);
  });

  it('stores an event shortly after the turn', async () => {
    const world = makeHookWorld(tempFolder());
    call(world, 'Stop', recorded('events/Stop'), { CAIRN_NO_WORKER: '' });
    const until = Date.now() + 10_000;
    while (readdirSync(world.paths.spool).length > 0 && Date.now() < until) await wait(20);
    // Waits for the worker: the folder is about to be removed.
    tryLock(world.paths.intakeLock, 10_000)?.();
    const store = openSqliteStore(world.paths.database);
    expect(store.listRecentSessions({ limit: 1 })).toMatchObject([{ closingWords: 'first turn final' }]);
    store.close();
  });

  const QUIET = { status: 0, stdout: '', stderr: '' };

  function call(
    world: HookWorld,
    event: string,
    input: string | Buffer,
    env: Record<string, string> = {},
    before = '',
  ) {
    const { status, stdout, stderr } = spawnSync(
      argv[0] ?? '',
      [...argv.slice(1), '-c', before + installedCommand(world, event)],
      { cwd: world.project, env: { ...world.env, ...env }, input },
    );
    return { status, stdout: stdout.toString(), stderr: stderr.toString() };
  }
});

function isInstalled([program = '', ...args]: string[]): boolean {
  return spawnSync(program, [...args, '-c', 'exit 0']).status === 0;
}

function spoolOf({ paths }: HookWorld) {
  return readdirSync(paths.spool).map((name) => {
    const path = join(paths.spool, name);
    return { name, bytes: readFileSync(path), mode: statSync(path).mode & 0o777 };
  });
}

function headersIn(world: HookWorld): string[] {
  return spoolOf(world).map(({ bytes }) => bytes.toString('utf8', 0, bytes.indexOf('\n')));
}

function point({ paths }: HookWorld, variable: string, value: string): void {
  edit(paths.captureScript, new RegExp(`^${variable}=.*$`, 'm'), `${variable}='${value}'`);
}

/** With the current version: a script of another one would be rewritten at the first session. */
function loseNode(world: HookWorld): void {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  edit(world.paths.captureScript, /Written by Cairn \S+/, `Written by Cairn ${version}.`);
  point(world, 'cairn_node', '/nowhere/node');
}

function useTheSameNameAlways({ paths }: HookWorld): void {
  edit(paths.captureScript, /^read -r cairn_id .*$/m, 'cairn_id=taken');
}

function edit(file: string, pattern: RegExp, replacement: string): void {
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(pattern, () => replacement),
  );
}

/** Replaces node with a shell script. */
function replaceNode(world: HookWorld, script: string): void {
  const program = join(world.root, 'node');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  point(world, 'cairn_node', program);
}

/** @returns the file that gets a line for every start of node: its arguments and environment. */
function recordNode(world: HookWorld): string {
  const seen = join(world.root, 'starts');
  mkdirSync(world.paths.state, { recursive: true });
  replaceNode(
    world,
    `shift; echo "$* / options=$NODE_OPTIONS certs=$NODE_EXTRA_CA_CERTS" >>'${seen}'; cat >/dev/null`,
  );
  return seen;
}

function waitForLines(file: string, count: number): string[] {
  const until = Date.now() + 10_000;
  for (;;) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    if (lines.length >= count || Date.now() > until) return lines;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}
