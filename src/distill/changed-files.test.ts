import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ran, turnOf } from '../../test/support/made-up-turn.ts';
import { makeRepository } from '../../test/support/run-cairn.ts';
import { tempFolder } from '../../test/support/temp.ts';
import type { TurnStore } from '../store/store.ts';
import type { StoredEvent } from '../store/types/event.ts';
import type { StoredTurn } from '../store/types/memory.ts';
import { addChangedFiles, couldWrite, findChangedFiles } from './changed-files.ts';
import { readEvidence } from './offline/evidence.ts';
import { splitTurn } from './split-turn.ts';

test.each([
  'npm install nanoid',
  'git mv src/a.ts src/b.ts',
  'node scripts/generate.mjs',
  'cd packages/app && npx prettier --write .',
  'cat > notes.md <<EOF\nhello\nEOF',
  'echo 1 >> version.txt',
  'echo x | tee config.json',
  'find . -name "*.snap" -delete',
  'sed -i s/a/b/ a.ts',
  'git commit -q -m "fix: totals"',
])('%j could write', (command) => {
  expect(couldWrite(ran(command))).toBe(true);
});

test.each([
  'ls -la',
  'cat a.ts | head -20',
  'grep -rn total src 2>/dev/null',
  'git status && git log --oneline 2>&1 | head',
  'find . -name "*.ts"',
])('%j only looks', (command) => {
  expect(couldWrite(ran(command))).toBe(false);
});

test('a refused command wrote nothing', () => {
  expect(couldWrite({ ...ran('npm install nanoid'), outcome: 'refused' })).toBe(false);
});

test('files are named from the folder of the turn, also those above it', () => {
  const repo = makeRepository(join(tempFolder(), 'shop'));
  const folder = join(repo, 'packages/app');
  mkdirSync(folder, { recursive: true });
  const openedAt = Date.now() - 60_000;
  writeFileSync(join(folder, 'a.ts'), 'a');
  writeFileSync(join(repo, 'package.json'), '{}');
  execFileSync('git', ['add', '.'], { cwd: repo });
  const times = { folder, openedAt, lastAt: Date.now(), nextOpenedAt: null };
  expect(findChangedFiles(times, Date.now())).toEqual(['../../package.json', 'a.ts']);
  // What came after the next prompt belongs to the next turn.
  expect(findChangedFiles({ ...times, nextOpenedAt: openedAt + 1 }, Date.now())).toEqual([]);
  expect(findChangedFiles({ ...times, folder: null }, Date.now())).toEqual([]);
});

test('long after the turn only its commits count', () => {
  const folder = makeRepository(join(tempFolder(), 'shop'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
    });
  writeFileSync(join(folder, 'committed.ts'), 'a');
  git('add', '.');
  git('commit', '-q', '-m', 'begin');
  writeFileSync(join(folder, 'left.ts'), 'a');
  const times = { folder, openedAt: Date.now() - 60_000, lastAt: Date.now(), nextOpenedAt: null };
  expect(findChangedFiles(times, Date.now())).toEqual(['committed.ts', 'left.ts']);
  expect(findChangedFiles(times, Date.now() + 48 * 3_600_000)).toEqual(['committed.ts']);
});

test('they are modified files of the turn', () => {
  const turn = turnOf({
    calls: [ran('npm install nanoid')],
    changedFiles: ['package.json', 'package-lock.json'],
  });
  expect(readEvidence(turn).filesModified).toEqual(['package.json', 'package-lock.json']);
});

test('a turn in pieces: git is asked once, for the last piece that could write', () => {
  const folder = makeRepository(join(tempFolder(), 'shop'));
  writeFileSync(join(folder, 'generated.ts'), 'a');
  const stored = { ...STORED, folder, openedAt: Date.now() - 60_000, lastAt: Date.now() };
  const events = [...Array.from({ length: 1_000 }, () => 'npm run generate'), 'ls'].map(eventOf);
  const listTurnEvents = (_turn: number, after: number, limit: number) => events.slice(after, after + limit);
  const store = { listTurnEvents } as TurnStore;
  const pieces = addChangedFiles(splitTurn(store, stored), stored, Date.now());
  expect(pieces.map(({ changedFiles }) => changedFiles)).toEqual([['generated.ts'], []]);
});

const STORED: StoredTurn = {
  ...{ id: 1, sessionId: 1, agent: 'claude-code', agentSession: 's', transcript: null, project: 'shop' },
  ...{
    folder: null,
    branch: null,
    closedBy: 'turn-end',
    hasClosingWords: true,
    nextOpenedAt: null,
    openedAt: 0,
    lastAt: 0,
  },
  ...{ prompts: [], promptIds: [], earlierPrompts: [], earlierWords: '' },
};

function eventOf(command: string, index: number): StoredEvent {
  const event = { id: index + 1, kind: 'tool-end', tool: 'Bash', does: 'command', input: { command } };
  return { ...event, outcome: 'success', response: null, files: [] } as unknown as StoredEvent;
}
