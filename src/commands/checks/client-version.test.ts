import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { findClientVersion, isNewer } from './client-version.ts';

test.each([
  ['0.167.0', '0.166.0', true],
  ['0.166.1', '0.166.0', true],
  ['1.0', '0.166.0', true],
  ['0.166.0', '0.166.0', false],
  ['0.166', '0.166.0', false],
  ['0.166.0.1', '0.166.0', true],
  ['0.99.9', '0.166.0', false],
  ['0.0.1790142912', '0.0.1790142911', true],
])('%s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});

describe('the version of a program', () => {
  let root: string;
  const find = (project = join(root, 'project')) =>
    findClientVersion(
      'agent',
      { searchPath: `${join(root, 'project/bin')}:${join(root, 'bin')}`, userHome: root },
      project,
    );

  function write(path: string, text: string): string {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    chmodSync(whole, 0o755);
    return whole;
  }

  beforeEach(() => {
    root = tempFolder();
    mkdirSync(join(root, 'bin'));
  });

  test('comes from its package, without running the program', () => {
    const mark = join(root, 'ran');
    const program = write('lib/node_modules/@a/agent/bin/run.js', `#!/bin/sh\ntouch '${mark}'\n`);
    write('lib/node_modules/@a/agent/package.json', '{"name":"@a/agent","version":"3.2.1-beta.4"}');
    symlinkSync(program, join(root, 'bin/agent'));
    expect(find()).toBe('3.2.1');
    expect(existsSync(mark)).toBe(false);
  });

  test('comes from its output, run outside the project and without our variables', () => {
    const report = join(root, 'said');
    write('bin/agent', `#!/bin/sh\npwd >'${report}'\nexport -p >>'${report}'\necho "agent 1.4.2 (linux)"\n`);
    expect(find()).toBe('1.4.2');
    const [folder, ...variables] = readFileSync(report, 'utf8').trim().split('\n');
    expect(folder).toBe('/');
    expect(variables.map((line) => /(\w+)=/.exec(line)?.[1])).toEqual(
      expect.arrayContaining(['HOME', 'PATH']),
    );
    expect(variables.filter((line) => line.includes('CAIRN_'))).toEqual([]);
  });

  test('is unknown if the program is missing, fails or prints none', () => {
    expect(find()).toBeNull();
    write('bin/agent', '#!/bin/sh\nexit 1\n');
    expect(find()).toBeNull();
    write('bin/agent', '#!/bin/sh\necho hello\n');
    expect(find()).toBeNull();
  });

  test('ignores a program in the project, and a link into it', () => {
    const theirs = write('project/bin/agent', '#!/bin/sh\necho 9.9.9\n');
    expect(find()).toBeNull();
    symlinkSync(theirs, join(root, 'bin/agent'));
    expect(find()).toBeNull();
  });
});
