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

describe('context meter', () => {
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

  test('warns once each at 30, 20 and 10 percent', async () => {
    const notices: (string | undefined)[] = [];
    for (const tokens of [20_000, 139_000, 140_000, 141_000, 160_000, 161_000, 179_000, 180_000, 190_000])
      notices.push((await answerWith(tokens))?.notice);
    expect(notices).toEqual([
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

  test('a jump past several thresholds causes one warning', async () => {
    expect((await answerWith(165_000))?.context).toBe(
      'Cairn: 17 % of the context window are left (about 35,000 tokens). At the next good point save a handoff, so that a new session can continue: the tool `handoff` of the MCP server cairn, or `cairn handoff save` in a shell.',
    );
    expect(await answerWith(166_000)).toBeNull();
  });

  test('an exact percentage has no rounding error', async () => {
    expect((await answerWith(710_000, 'claude-opus-5-5'))?.notice).toContain(' 29 % ');
  });

  test('an emptied window causes new warnings when it fills again', async () => {
    await answerWith(145_000);
    tell({ kind: 'compact-start', trigger: 'auto' });
    expect(await answerWith(30_000)).toBeNull();
    expect((await answerWith(150_000))?.notice).toContain('25 %');
  });

  test('the window size from the client takes precedence over the table', async () => {
    mkdirSync(paths.state);
    writeWindowNote(paths, 'here', { size: 1_000_000, used: 1, model: null, at: 0 });
    expect(await answerWith(190_000)).toBeNull();
  });

  test.each([
    ['an unknown model', 190_000, 'gpt-9'],
    ['a window with more tokens than the assumed size', 250_000, 'claude-sonnet-4-6'],
  ])('no warning for %s', async (_, tokens, model) => expect(await answerWith(tokens, model)).toBeNull());

  test('no warning while no turn is open', async () => {
    writeFileSync(join(home, 'gone.jsonl'), '');
    tell({ kind: 'turn-end', text: 'Done.', continued: false });
    expect(await answerWith(190_000)).toBeNull();
    expect(existsSync(join(paths.outboxFor, 'here'))).toBe(false);
  });

  test('a warning is only for the session it is about', async () => {
    await answerWith(145_000, 'claude-sonnet-4-6', false);
    expect(takeFromSessionOutbox(paths, 'another')).toBeNull();
    expect(JSON.parse(readFileSync(join(paths.outboxFor, 'here'), 'utf8')).notice).toContain('27 %');
  });

  /** Adds an answer with this many tokens in the window to the transcript, and returns the session's new warning. */
  async function answerWith(tokens: number, model = 'claude-sonnet-4-6', takes = true) {
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
