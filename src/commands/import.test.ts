import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, root, run, useHome } from '../../test/support/install-home.ts';
import { createOpenCodeDatabase } from '../../test/support/opencode-database.ts';
import { createImportCommand } from './import.ts';

useHome();

const payloads = join(import.meta.dirname, '../agents');
const questions: string[] = [];
const answering = (answer: boolean) =>
  createImportCommand(async (question) => {
    questions.push(question);
    return answer;
  });
const neverAsking = createImportCommand(() => Promise.reject(new Error('asked')));

/** Past sessions of two agents. */
function leaveTranscripts(): void {
  cpSync(join(payloads, 'claude-code/payloads/transcripts'), join(root, 'user/.claude/projects'), {
    recursive: true,
  });
  const day = join(root, 'user/.codex/sessions/2026/11/15');
  mkdirSync(day, { recursive: true });
  cpSync(
    join(payloads, 'codex/payloads/transcripts/rollout.jsonl'),
    join(day, 'rollout-2026-11-15T18-00-00-01a2b3c4-0000-7000-8000-000000000001.jsonl'),
  );
}

const found = [
  expect.stringMatching(/^ {2}claude-code {2}5 sessions, \d+ kB not read yet$/),
  expect.stringMatching(/^ {2}codex {8}1 session, \d+ kB not read yet$/),
];

test('without transcripts it lists the agents that Cairn can read', async () => {
  const { code, out } = await run(neverAsking, []);
  expect({ code, out }).toEqual({
    code: 0,
    out: [
      expect.stringMatching(
        /^No past sessions found. Cairn reads those of Claude Code, Codex, .* and [\w ]+\.$/,
      ),
    ],
  });
  expect(existsSync(home)).toBe(false);
});

test('shows the sessions it found, asks once, and stores nothing if the answer is no', async () => {
  leaveTranscripts();
  questions.length = 0;
  const { code, out } = await run(answering(false), [], {}, true);
  expect({ code, out, questions }).toEqual({
    code: 1,
    out: [...found, 'Nothing was imported.'],
    questions: ['Import them?'],
  });
  expect(existsSync(home)).toBe(false);
});

test('without a terminal requires --yes, and imports each session once', async () => {
  leaveTranscripts();
  await expect(run(neverAsking, [])).rejects.toThrow('add --yes');
  expect(existsSync(home)).toBe(false);
  const first = await run(neverAsking, [], { yes: true }, false, { CAIRN_NO_WORKER: '1' });
  expect(first.out).toEqual([
    ...found,
    expect.stringMatching(/^Claude Code: imported 14 prompts and \d+ tool calls/),
    expect.stringMatching(/^Codex: imported 1 prompt and \d+ tool calls/),
  ]);
  const second = await run(neverAsking, [], { yes: true, json: true }, false, { CAIRN_NO_WORKER: '1' });
  const { agents } = JSON.parse(second.out.join(''));
  expect(agents.every(({ added }: { added: number }) => added === 0)).toBe(true);
});

test('a dry run counts and stores nothing; --project limits the sessions', async () => {
  leaveTranscripts();
  const dry = await run(neverAsking, [], { 'dry-run': true });
  expect(dry).toMatchObject({ code: 0, out: [...found, 'Nothing was stored.'] });
  const elsewhere = await run(neverAsking, [], { 'dry-run': true, project: root });
  expect(elsewhere.out).toEqual([expect.stringContaining('No past sessions found.')]);
  expect(existsSync(home)).toBe(false);
});

test('refuses an option that only one source accepts', async () => {
  await expect(async () => run(neverAsking, [], { session: 'x' })).rejects.toThrow(
    'Unknown option for all agents: --session',
  );
});

test('includes sessions in databases, and skips an unreadable one with a message', async () => {
  leaveTranscripts();
  const data = join(root, 'user/.local/share');
  createOpenCodeDatabase(join(data, 'opencode/opencode.db')).close();
  mkdirSync(join(data, 'kilo'));
  writeFileSync(join(data, 'kilo/kilo.db'), '');
  const { out, err } = await run(neverAsking, [], { yes: true }, false, { CAIRN_NO_WORKER: '1' });
  expect(out.slice(2)).toEqual([
    expect.stringMatching(/^ {2}opencode {5}1 session, \d+ kB not read yet$/),
    expect.stringContaining('Claude Code: imported'),
    expect.stringContaining('Codex: imported'),
    'OpenCode: imported 1 prompt and 5 tool calls (7 events) of 1 session.',
  ]);
  const why =
    'kilo.db cannot be read: this version of Cairn does not know its tables (no such table: message).';
  expect(err).toEqual([expect.stringMatching(/^Skipped Kilo: /)]);
  expect(err[0]).toContain(why);
  await expect(run(neverAsking, ['kilo'])).rejects.toThrow(
    `Nothing was imported: ${join(data, 'kilo')}/${why}`,
  );
});

test('tells an agent whose sessions cannot be read from an unknown source', async () => {
  await expect(async () => run(neverAsking, ['cursor'])).rejects.toThrow(
    'Cairn cannot read past sessions of Cursor.',
  );
  await expect(async () => run(neverAsking, ['curser'])).rejects.toThrow('Unknown source: curser.');
});
