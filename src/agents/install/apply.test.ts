import { execFile } from 'node:child_process';
import * as nodeFiles from 'node:fs';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installInFile, type SettingsPlace, uninstallFromFile } from './apply.ts';
import type { AddedParts } from './edited-settings.ts';
import { installEntries, removeEntries } from './hook-entries.ts';
import { SettingsError } from './settings-file.ts';

const isOurs = (command: string) => command.startsWith('ours ');
const entriesOf = (version: string, events: string[]) =>
  events.map((event) => ({ event, command: `ours ${version} ${event}`, timeout: 5 }));
const installVersion = (version: string, events: string[]) => (text: string | null) =>
  installEntries(text, entriesOf(version, events), isOurs);
const install = installVersion('1', ['Stop', 'SessionEnd']);
const upgrade = installVersion('2', ['Stop', 'SessionStart']);
const remove = (text: string, made?: AddedParts) => removeEntries(text, isOurs, { made });

const SETTINGS = '{\n  // mine\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  },\n}\n';

let root: string;
let place: SettingsPlace;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-apply-'));
  place = {
    agent: 'some-agent',
    path: join(root, 'user/.agent/settings.json'),
    recordFolder: join(root, 'installed'),
  };
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('an existing file', () => {
  beforeEach(() => write(SETTINGS));

  it('is merged, left alone by a second installation and restored byte for byte', () => {
    expect(installInFile(place, install)).toMatchObject({ before: SETTINGS, changed: true, wasThere: false });
    utimesSync(place.path, 1000, 1000);
    expect(installInFile(place, install)).toMatchObject({ changed: false, wasThere: true });
    expect(statSync(place.path).mtimeMs).toBe(1_000_000);

    expect(uninstallFromFile(place, remove)).toMatchObject({
      after: SETTINGS,
      changed: true,
      wasThere: true,
    });
    expect(read()).toBe(SETTINGS);
    expect(leftovers()).toEqual(['settings.json']);
    expect(readdirSync(place.recordFolder)).toEqual([]);
  });

  it('is restored byte for byte after an upgrade', () => {
    installInFile(place, install);
    expect(installInFile(place, upgrade)).toMatchObject({ changed: true, wasThere: true });
    expect(read()).toContain('ours 2 SessionStart');
    uninstallFromFile(place, remove);
    expect(read()).toBe(SETTINGS);
  });

  it('keeps changes made after the installation', () => {
    installInFile(place, install);
    write(read().replace('"opus"', '"sonnet"'));
    installInFile(place, upgrade);
    write(read().replace('// mine', '// still mine'));
    uninstallFromFile(place, remove);
    expect(read()).toBe(SETTINGS.replace('opus', 'sonnet').replace('mine', 'still mine'));
  });

  it('is cleaned without its record if that is unreadable', () => {
    installInFile(place, install);
    for (const name of readdirSync(place.recordFolder))
      writeFileSync(join(place.recordFolder, name), '{"version":');
    expect(uninstallFromFile(place, remove)).toMatchObject({ changed: true, wasThere: true });
    expect(read()).toBe('{\n  // mine\n  "model": "opus",\n}\n');
    expect(uninstallFromFile(place, remove)).toMatchObject({ changed: false, wasThere: false });
  });

  it('is restored to its current content, not to that of an outdated record', () => {
    installInFile(place, install);
    write('{"other": 1}');
    installInFile(place, install);
    uninstallFromFile(place, remove);
    expect(read()).toBe('{"other": 1}');
  });

  it('has a record without its text', () => {
    installInFile(place, install);
    const [name = ''] = readdirSync(place.recordFolder);
    const record = readFileSync(join(place.recordFolder, name), 'utf8');
    expect(record).not.toMatch(/opus|mine/);
    expect(statSync(join(place.recordFolder, name)).mode & 0o777).toBe(0o600);
  });

  it('keeps its mode', () => {
    chmodSync(place.path, 0o640);
    installInFile(place, install);
    expect(statSync(place.path).mode & 0o7777).toBe(0o640);
  });

  it.runIf(process.getuid?.() === 0)('keeps its owner', () => {
    nodeFiles.chownSync(place.path, 1234, 2345);
    installInFile(place, install);
    expect(statSync(place.path)).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it('stays a link', () => {
    const target = join(root, 'dotfiles.json');
    nodeFiles.renameSync(place.path, target);
    symlinkSync('../../dotfiles.json', place.path);
    installInFile(place, install);
    expect(lstatSync(place.path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('ours 1 Stop');
    uninstallFromFile(place, remove);
    expect(lstatSync(place.path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(SETTINGS);
  });

  it('is not changed by a dry run, which writes no record either', () => {
    const { changed, after } = installInFile(place, install, { dryRun: true });
    expect({ changed, text: read() }).toEqual({ changed: true, text: SETTINGS });
    expect(existsSync(place.recordFolder)).toBe(false);

    expect(installInFile(place, install).after).toBe(after);
    expect(uninstallFromFile(place, remove, { dryRun: true }).after).toBe(SETTINGS);
    expect(read()).toBe(after);
    expect(readdirSync(place.recordFolder)).toHaveLength(1);
  });

  it('is merged if another program changes it during the write', () => {
    let disturbances = 2;
    const files = {
      ...nodeFiles,
      fsyncSync(handle: number) {
        nodeFiles.fsyncSync(handle);
        if (disturbances > 0) write(SETTINGS.replace('opus', `model ${disturbances}`));
        disturbances -= 1;
      },
    };
    installInFile(place, install, { files });
    expect(read()).toContain('"model 1"');
    expect(read()).toContain('ours 1 Stop');
    uninstallFromFile(place, remove);
    expect(read()).toBe(SETTINGS.replace('opus', 'model 1'));
  });
});

describe('a missing file', () => {
  it('is made readable by its owner only, and removed again with the folders made for it', () => {
    mkdirSync(join(root, 'user'));
    expect(installInFile(place, install)).toMatchObject({ before: null, changed: true });
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    expect(uninstallFromFile(place, remove)).toMatchObject({ after: null, changed: true });
    expect(readdirSync(join(root, 'user'))).toEqual([]);
  });

  it('is removed even if it was reformatted, but kept if something was added', () => {
    installInFile(place, install);
    write(JSON.stringify(JSON.parse(read())));
    expect(uninstallFromFile(place, remove).after).toBe(null);
    expect(existsSync(place.path)).toBe(false);

    installInFile(place, install);
    write(JSON.stringify({ ...JSON.parse(read()), model: 'opus' }));
    uninstallFromFile(place, remove);
    expect(read()).toBe('{"model":"opus"}');
  });

  it('keeps a folder with other files', () => {
    installInFile(place, install);
    writeFileSync(join(dirname(place.path), 'theirs'), '');
    uninstallFromFile(place, remove);
    expect(leftovers()).toEqual(['theirs']);
  });

  it('is made at the target of a dangling link', () => {
    mkdirSync(dirname(place.path), { recursive: true });
    symlinkSync(join(root, 'not yet/settings.json'), place.path);
    installInFile(place, install);
    expect(readFileSync(join(root, 'not yet/settings.json'), 'utf8')).toContain('ours 1 Stop');
  });

  it('is ignored by uninstall', () => {
    expect(uninstallFromFile(place, remove)).toMatchObject({ changed: false, wasThere: false });
  });
});

describe('an error that changes nothing and tells what to do', () => {
  const failing = (name: 'openSync' | 'fsyncSync' | 'renameSync', code: string) => ({
    ...nodeFiles,
    [name]: () => {
      throw Object.assign(new Error(code), { code });
    },
  });
  const troubles = [
    { name: 'unreadable JSON', text: '{\n  "a": 1\n  "b": 2\n}', says: /settings\.json:3:3: comma expected/ },
    { name: 'a file that is not UTF-8', text: Buffer.from([0xff, 0xfe, 0x7b, 0]), says: /not UTF-8 text/ },
    { name: 'a read-only file', text: '{}', mode: 0o444, says: /is read-only.+chmod u\+w/ },
    {
      name: 'missing permission',
      text: '{}',
      files: failing('openSync', 'EACCES'),
      says: /permission denied/,
    },
    { name: 'a full disk', text: '{}', files: failing('fsyncSync', 'ENOSPC'), says: /disk is full/ },
    {
      name: 'a read-only disk',
      text: '{}',
      files: failing('renameSync', 'EROFS'),
      says: /read-only file system/,
    },
  ];
  it.each(troubles)('$name', ({ text, mode = 0o600, files, says }) => {
    write(text);
    chmodSync(place.path, mode);
    const error = thrownBy(() => installInFile(place, install, files && { files }));
    expect(error).toBeInstanceOf(SettingsError);
    expect(String(error)).toMatch(says);
    expect(String(error)).toMatch(/Nothing was changed/);
    expect(readFileSync(place.path)).toEqual(Buffer.from(text));
    expect(leftovers()).toEqual(['settings.json']);
  });

  it('a folder in place of the file', () => {
    mkdirSync(place.path, { recursive: true });
    expect(() => installInFile(place, install)).toThrow(/it is a folder/);
  });

  it('a file in place of the folder', () => {
    writeFileSync(join(root, 'user'), '');
    expect(() => installInFile(place, install)).toThrow(/a part of this path is a file/);
  });

  it('a link to itself', () => {
    mkdirSync(dirname(place.path), { recursive: true });
    symlinkSync('settings.json', place.path);
    expect(() => installInFile(place, install)).toThrow(/leads back to itself/);
  });

  it('a new file on a full disk, whose folders are removed again', () => {
    expect(() => installInFile(place, install, { files: failing('fsyncSync', 'ENOSPC') })).toThrow(
      /disk is full/,
    );
    expect(existsSync(join(root, 'user'))).toBe(false);
  });
});

it('removes a folder that another installation had just made for the file', () => {
  // The other installation stops between its record and its file. The record with its folder must be kept.
  const stop = new Error('ended here');
  const openSync = () => {
    throw stop;
  };
  expect(() => installInFile(place, install, { files: { ...nodeFiles, openSync } })).toThrow(stop);
  mkdirSync(dirname(place.path), { recursive: true });
  installInFile(place, install);
  uninstallFromFile(place, remove);
  expect(existsSync(dirname(place.path))).toBe(false);
});

it('concurrent installations leave one valid file that can be undone', async () => {
  write(SETTINGS);
  const program = join(root, 'install.mjs');
  const { build } = await import('esbuild');
  await build({
    stdin: {
      contents: `
        import { installInFile } from './apply.ts';
        import { installEntries } from './hook-entries.ts';
        const entries = ${JSON.stringify(entriesOf('1', ['Stop', 'SessionEnd']))};
        installInFile(JSON.parse(process.argv[2]), (text) => installEntries(text, entries, (c) => c.startsWith('ours ')));`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    outfile: program,
  });
  const run = promisify(execFile);
  await Promise.all(Array.from({ length: 8 }, () => run(process.execPath, [program, JSON.stringify(place)])));
  expect(installInFile(place, install)).toMatchObject({ changed: false });
  expect(leftovers()).toEqual(['settings.json']);
  uninstallFromFile(place, remove);
  expect(read()).toBe(SETTINGS);
});

function write(text: string | Uint8Array): void {
  mkdirSync(dirname(place.path), { recursive: true });
  writeFileSync(place.path, text);
}

function read(): string {
  return readFileSync(place.path, 'utf8');
}

function leftovers(): string[] {
  return readdirSync(dirname(place.path));
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
