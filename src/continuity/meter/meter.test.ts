import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { captured, ORCHARD } from '../../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { takeFromSessionOutbox } from '../../capture/outbox.ts';
import { createLog } from '../../platform/log.ts';
import { type Paths, pathsOf } from '../../platform/paths.ts';
import { readMeters } from './meter.ts';
import { writeWindowNote } from './window-note.ts';

const log = createLog({ folder: '/nonexistent', level: 'off', from: 'test' });

describe('the context meter', () => {
  let home: string;
  let paths: Paths;
  let store: PlainStore;
  let clock: number;
  let handoffs: string[];
  beforeEach(() => {
    home = tempFolder();
    paths = pathsOf(home);
    store = openPlainStore(paths.database);
    clock = 1_000_000;
    handoffs = [];
    tell({ kind: 'prompt', text: 'Prune the trees', origin: 'person' });
  });
  afterEach(() => store.close());

  test('tells at 30, 20 and 10 percent, each once', async () => {
    const said: (string | undefined)[] = [];
    for (const tokens of [20_000, 139_000, 140_000, 141_000, 160_000, 161_000, 179_000, 180_000, 190_000])
      said.push((await answered(tokens))?.notice);
    expect(said).toEqual([
      undefined,
      undefined,
      'Cairn: 30 % of the context window are left (about 60,000 tokens).',
      undefined,
      'Cairn: 20 % of the context window are left (about 40,000 tokens). /cairn:handoff saves what a new session needs; after /clear the work continues from there.',
      undefined,
      undefined,
      'Cairn: 10 % of the context window are left (about 20,000 tokens). A handoff was saved (prune-trees, handoff 1); after /clear the next session continues from there.',
      undefined,
    ]);
    expect(handoffs).toEqual(['here']);
  });

  test('a leap over several says only the last', async () => {
    expect((await answered(165_000))?.context).toBe(
      'Cairn: 17 % of the context window are left (about 35,000 tokens). At the next good point save a handoff, so that a new session can continue: the tool `handoff` of the MCP server cairn, or `cairn handoff save` in a shell.',
    );
    expect(await answered(166_000)).toBeNull();
  });

  test('whole percents are whole', async () => {
    expect((await answered(710_000, 'claude-opus-5-5'))?.notice).toContain(' 29 % ');
  });

  test('a window that was emptied fills anew', async () => {
    await answered(145_000);
    tell({ kind: 'compact-start', trigger: 'auto' });
    expect(await answered(30_000)).toBeNull();
    expect((await answered(150_000))?.notice).toContain('25 %');
  });

  test('the word of the client on the size goes before the table', async () => {
    mkdirSync(paths.state);
    writeWindowNote(paths, 'here', { size: 1_000_000, used: 1, model: null, at: 0 });
    expect(await answered(190_000)).toBeNull();
  });

  test.each([
    ['a model nobody knows', 190_000, 'gpt-9'],
    ['a window that must be another', 250_000, 'claude-sonnet-4-6'],
  ])('nothing for %s', async (_, tokens, model) => expect(await answered(tokens, model)).toBeNull());

  test('nothing while no turn is open, and none for a transcript that is gone', async () => {
    writeFileSync(join(home, 'gone.jsonl'), '');
    tell({ kind: 'turn-end', text: 'Done.', continued: false });
    expect(await answered(190_000)).toBeNull();
    expect(existsSync(join(paths.outboxFor, 'here'))).toBe(false);
  });

  test('what was said is for this session alone', async () => {
    await answered(145_000, 'claude-sonnet-4-6', false);
    expect(takeFromSessionOutbox(paths, 'another')).toBeNull();
    expect(JSON.parse(readFileSync(join(paths.outboxFor, 'here'), 'utf8')).notice).toContain('27 %');
  });

  /** The agent has answered with so much in its window; what the session is told of it. */
  async function answered(tokens: number, model = 'claude-sonnet-4-6', takes = true) {
    clock += 1_000;
    const usage = { input_tokens: 100, cache_read_input_tokens: tokens - 100 };
    writeFileSync(
      join(home, 'transcript.jsonl'),
      `${JSON.stringify({ type: 'assistant', isSidechain: false, message: { model, usage } })}\n`,
      { flag: 'a' },
    );
    const handOff = async (session: string) => {
      handoffs.push(session);
      return 'prune-trees, handoff 1';
    };
    await readMeters({ store, paths, log, now: () => clock, handOff });
    return takes ? takeFromSessionOutbox(paths, 'here') : null;
  }

  function tell(event: Parameters<typeof captured>[0]['event']): void {
    clock += 1_000;
    const full = { ...event, transcriptPath: join(home, 'transcript.jsonl') } as typeof event;
    store.ingest([captured({ session: 'here', at: clock, event: full, place: ORCHARD })], clock);
  }
});
