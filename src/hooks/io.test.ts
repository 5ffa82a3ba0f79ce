import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../test/support/hooks-library.ts';
import type { PrintedReply } from '../model/hook-reply.ts';
import { createHookIo, DuplicateReplyError, type HookProcess } from './io.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-io-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('with a fake process', () => {
  let outside: ReturnType<typeof createOutside>;
  beforeEach(() => {
    outside = createOutside();
  });
  afterEach(() => outside.close());

  test('hold keeps stray output from the agent', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    outside.process.stderr.write('a library warns\n');
    outside.process.stdout.write('a library chats — ü\n');
    expect(outside.seen()).toEqual({ stdout: '', stderr: '', exits: [] });
    expect(io.strayStdoutBytes()).toBe(Buffer.byteLength('a library chats — ü\n'));
  });

  test('a held write reports success to its writer', async () => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    const isAccepted = outside.process.stderr.write('plain');
    const called = new Promise<string>((done) =>
      outside.process.stderr.write('c3bc', 'hex', () => done('called')),
    );
    const alsoCalled = new Promise<string>((done) =>
      outside.process.stderr.write(new Uint8Array([33]), () => done('called')),
    );
    expect([isAccepted, await called, await alsoCalled]).toEqual([true, 'called', 'called']);
    io.reply(blocking('.'));
    expect(outside.seen().stderr).toBe('plainü!.');
  });

  test('a blocking reply prints the held stderr in order, then its own text', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    outside.process.stderr.write('first\n');
    outside.process.stderr.write('second\n');
    io.reply(blocking('tests are red\n'));
    io.exit();
    expect(outside.seen()).toEqual({ stdout: '', stderr: 'first\nsecond\ntests are red\n', exits: [2] });
    expect(io.emits).toEqual([
      { intent: 'BLOCKING_FEEDBACK', bytes: 14 },
      { intent: 'EXIT_SIGNAL', bytes: 0 },
    ]);
  });

  test('a blocking reply prints the last 64 KiB of held stderr and splits no character', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    for (let line = 0; line < 1000; line += 1) outside.process.stderr.write(`${'ü'.repeat(49)}x${line % 10}`);
    io.reply(blocking('!'));
    const text = outside.seen().stderr;
    expect(text.endsWith(`${'ü'.repeat(49)}x9!`)).toBe(true);
    expect(text).not.toContain('\uFFFD');
    expect(Buffer.byteLength(text)).toBeGreaterThan(64 * 1024 - 4);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024 + 1);
  });

  test('a successful exit drops the held stderr', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    outside.process.stderr.write('a library warns\n');
    io.reply(json('{"systemMessage":"hello"}\n'), 'USER_HINT');
    io.exit();
    expect(outside.seen()).toEqual({ stdout: '{"systemMessage":"hello"}\n', stderr: '', exits: [0] });
    expect(io.emits).toEqual([
      { intent: 'USER_HINT', bytes: 26 },
      { intent: 'EXIT_SIGNAL', bytes: 0 },
    ]);
  });

  test('restore gives the streams back; a second hold or restore has no effect', () => {
    const before = Object.getOwnPropertyDescriptors(outside.process);
    const writes = [outside.process.stdout.write, outside.process.stderr.write];
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    io.hold();
    io.restore();
    io.restore();
    expect(Object.getOwnPropertyDescriptors(outside.process)).toEqual(before);
    expect([outside.process.stdout.write, outside.process.stderr.write]).toEqual(writes);
    outside.process.stderr.write('back');
    expect(outside.seen()).toEqual({ stdout: '', stderr: 'back', exits: [] });
  });

  test('a diagnostic bypasses the hold and does not print held output', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    outside.process.stderr.write('noise\n');
    io.diagnostic('cairn: the log cannot be written');
    io.exit(0);
    expect(outside.seen()).toEqual({ stdout: '', stderr: 'cairn: the log cannot be written\n', exits: [0] });
  });

  test.each([
    ['after JSON', json('{"a":1}\n'), { stdout: '{"a":1}\n', stderr: '', exits: [0] }],
    ['after silence', json(''), { stdout: '', stderr: '', exits: [0] }],
    ['after a block', blocking('no\n'), { stdout: '', stderr: 'no\n', exits: [2] }],
  ])('a second reply %s throws and prints nothing', (_name, first, expected) => {
    const io = createHookIo(outside.process, outside.fds);
    io.hold();
    io.reply(first);
    expect(() => io.reply(json('{"b":2}\n'))).toThrow(DuplicateReplyError);
    expect(() => io.reply(blocking('second'))).toThrow(DuplicateReplyError);
    io.exit();
    expect(outside.seen()).toEqual(expected);
  });

  test('a block never prints its stdout', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.reply({ stdout: '{"a":1}\n', stderr: 'no\n', exitCode: 2, leftOut: [] });
    io.exit();
    expect(outside.seen()).toEqual({ stdout: '', stderr: 'no\n', exits: [2] });
  });

  test.each([
    ['code 3 after a successful reply', json('{"a":1}\n'), [3]],
    ['code 2 after a block', blocking('no\n'), [2]],
  ])('wakeAtExit exits with %s', (_name, reply, exits) => {
    const io = createHookIo(outside.process, outside.fds);
    io.wakeAtExit();
    io.reply(reply);
    io.exit();
    expect(outside.seen().exits).toEqual(exits);
  });

  test('exit happens once', () => {
    const io = createHookIo(outside.process, outside.fds);
    io.exit(0);
    io.exit(2);
    expect(outside.seen()).toEqual({ stdout: '', stderr: '', exits: [0] });
  });

  test('hold on first use does not open an unused stream', () => {
    let opened = 0;
    const lazy = Object.defineProperty({ ...outside.process }, 'stderr', {
      configurable: true,
      enumerable: true,
      get: () => {
        opened += 1;
        return outside.process.stderr;
      },
    });
    const io = createHookIo(lazy, outside.fds);
    io.hold('on first use');
    expect(opened).toBe(0);
    lazy.stderr.write('held from the first byte');
    expect(outside.seen().stderr).toBe('');
  });

  test('reads the whole input when a chunk splits a character', async () => {
    const bytes = Buffer.from('{"prompt":"grüß dich"}');
    const cut = bytes.indexOf(0xc3) + 1;
    const stdin = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)], { objectMode: false });
    const io = createHookIo({ ...outside.process, stdin }, outside.fds);
    expect(await io.readInput()).toEqual(bytes);
  });

  test('reads the whole input from a descriptor when it takes several reads', async () => {
    const bytes = Buffer.from('grüß dich '.repeat(20_000));
    const file = join(folder, 'stdin');
    writeFileSync(file, bytes);
    const stdin = openSync(file, 'r');
    const io = createHookIo(outside.process, { ...outside.fds, stdin });
    expect((await io.readInput()).equals(bytes)).toBe(true);
    closeSync(stdin);
  });
});

describe('in a real process', () => {
  const bundle = join(folder, 'io.mjs');
  beforeAll(() =>
    build({
      entryPoints: [fileURLToPath(new URL('io.ts', import.meta.url))],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    }),
  );

  const scriptArguments = (code: string) => [
    '--input-type=module',
    '--eval',
    `import { createHookIo } from ${JSON.stringify(pathToFileURL(bundle).href)};
     const io = createHookIo(); ${code}`,
  ];
  const runScript = (code: string) =>
    run(process.execPath, scriptArguments(code), { cwd: folder, input: '' });

  test.each([
    [
      'holds console output, warnings and direct writes',
      `io.hold(); console.log('log'); console.error('error'); process.emitWarning('careful');
       process.stderr.write('raw'); process.stdout.write('raw');
       setTimeout(() => { io.reply({ stdout: '{}', stderr: '', exitCode: 0, leftOut: [] }); io.exit(); }, 20);`,
      { stdout: '{}', stderr: '', exitCode: 0 },
    ],
    [
      'holds streams that were already in use',
      `console.error('before'); console.log('before'); io.hold(); console.error('after'); console.log('after');
       io.exit(0);`,
      { stdout: 'before\n', stderr: 'before\n', exitCode: 0 },
    ],
    [
      'holds streams on first use',
      `io.hold('on first use'); console.error('held'); console.log('dropped');
       io.reply({ stdout: '', stderr: 'no', exitCode: 2, leftOut: [] }); io.exit();`,
      { stdout: '', stderr: 'held\nno', exitCode: 2 },
    ],
    [
      'exits with 0 after an error in a timer',
      `io.hold(); io.failOpen((error) => io.diagnostic(error.message));
       setTimeout(() => { throw new Error('in a timer'); }, 1); setTimeout(() => {}, 60_000);`,
      { stdout: '', stderr: 'in a timer\n', exitCode: 0 },
    ],
    [
      'exits with 0 after an unhandled rejection',
      `io.hold(); io.failOpen((error) => io.diagnostic(error.message));
       Promise.reject(new Error('unheard')); setTimeout(() => {}, 60_000);`,
      { stdout: '', stderr: 'unheard\n', exitCode: 0 },
    ],
    [
      'exits with 0 after a foreign process.exit',
      `io.hold(); io.failOpen((error) => io.diagnostic(error.message)); process.exit(3);`,
      { stdout: '', stderr: 'the process ended before the hook had answered\n', exitCode: 0 },
    ],
  ])('%s', async (_name, code, expected) => {
    expect(await runScript(code)).toEqual(expected);
  });

  test('gives up the reply but keeps the exit code when the reader is closed', async () => {
    const code = `io.reply({ stdout: 'x'.repeat(1_000_000), stderr: '', exitCode: 0, leftOut: [] }); io.exit();`;
    const child = spawn(process.execPath, scriptArguments(code), { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    expect(await new Promise((done) => child.on('close', done))).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('waits for input on an empty non-blocking pipe', async () => {
    const pipe = join(folder, 'late-pipe');
    await run('mkfifo', [pipe], { cwd: folder, input: '' });
    const writer = openSync(pipe, constants.O_RDWR);
    const child = spawn(
      process.execPath,
      scriptArguments(`
        const { constants, openSync } = await import('node:fs');
        const stdin = openSync(${JSON.stringify(pipe)}, constants.O_RDONLY | constants.O_NONBLOCK);
        const late = createHookIo(process, { stdin, stdout: 1, stderr: 2 });
        late.diagnostic('reading');
        late.diagnostic(String(await late.readInput()));
        late.exit(0);`),
    );
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      if (output === '') setTimeout(() => [writeFileSync(writer, 'late'), closeSync(writer)], 20);
      output += text;
    });
    expect(await new Promise((done) => child.on('close', done))).toBe(0);
    expect(output).toBe('reading\nlate\n');
  });

  describe.skipIf(process.platform === 'win32')('a full non-blocking pipe', () => {
    const replyThrough = (pipe: string) => `
      const { constants, openSync } = await import('node:fs');
      const fd = openSync(${JSON.stringify(pipe)}, constants.O_RDWR | constants.O_NONBLOCK);
      const slow = createHookIo(process, { stdout: fd, stderr: 2 });
      slow.reply({ stdout: '0123456789'.repeat(100_000), stderr: '', exitCode: 0, leftOut: [] });
      slow.diagnostic(JSON.stringify(slow.emits));
      slow.exit();`;

    test('passes on a reply of many times its size when it is read late', async () => {
      const pipe = join(folder, 'slow-pipe');
      const copy = join(folder, 'copy');
      await run('mkfifo', [pipe], { cwd: folder, input: '' });
      // `exec 3<` blocks until the writer opens the pipe; the sleep lets the writer fill it.
      const readLate = 'exec 3< "$1"; sleep 0.1; head -c 1000000 <&3 > "$2"';
      const [result] = await Promise.all([
        runScript(replyThrough(pipe)),
        run('sh', ['-c', readLate, 'sh', pipe, copy], { cwd: folder, input: '' }),
      ]);
      expect(result).toEqual({
        stdout: '',
        stderr: '[{"intent":"MODEL_CONTEXT","bytes":1000000}]\n',
        exitCode: 0,
      });
      expect(readFileSync(copy, 'utf8') === '0123456789'.repeat(100_000)).toBe(true);
    });

    test('is given up when it is never read, and the emit reports the bytes written', async () => {
      const pipe = join(folder, 'stuck-pipe');
      await run('mkfifo', [pipe], { cwd: folder, input: '' });
      const { stderr, ...rest } = await runScript(replyThrough(pipe));
      expect(rest).toEqual({ stdout: '', exitCode: 0 });
      expect(JSON.parse(stderr)[0].bytes).toBeLessThan(1_000_000);
    });
  });
});

function json(stdout: string): PrintedReply {
  return { stdout, stderr: '', exitCode: 0, leftOut: [] };
}

function blocking(stderr: string): PrintedReply {
  return { stdout: '', stderr, exitCode: 2, leftOut: [] };
}

/** A process whose streams are files. */
function createOutside() {
  const files = { stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') };
  const fds = { stdout: openSync(files.stdout, 'w'), stderr: openSync(files.stderr, 'w') };
  const exits: number[] = [];
  const process: HookProcess = {
    stdin: Readable.from([]),
    stdout: writerTo(fds.stdout),
    stderr: writerTo(fds.stderr),
    pid: 0,
    kill: () => undefined,
    exit: (code) => void exits.push(code),
    on: () => {},
  };
  return {
    process,
    fds,
    seen: () => ({
      stdout: readFileSync(files.stdout, 'utf8'),
      stderr: readFileSync(files.stderr, 'utf8'),
      exits,
    }),
    close: () => Object.values(fds).forEach(closeSync),
  };
}

function writerTo(fd: number): HookProcess['stderr'] {
  return {
    write(chunk: string | Uint8Array) {
      writeFileSync(fd, chunk);
      return true;
    },
  };
}
