import { expect, test } from 'vitest';
import { openMemoryStore } from '../../../test/support/memory-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { claudeCode } from '../../agents/claude-code/adapter.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings } from '../../config/settings.ts';
import { createLog } from '../../platform/log.ts';
import { pathsOf } from '../../platform/paths.ts';
import type { OpenCall } from './answer-call.ts';
import { giveMemories } from './give-memories.ts';

const BEGAN = Date.UTC(2026, 10, 18);
const UNTIL = BEGAN + 500;
const LATEST = BEGAN + 1_000;

test.each([
  ['gives memories found in time', UNTIL - 1, true],
  ['gives memories found a little late', UNTIL + 1, true],
  ['gives no memories found too late for a reply', LATEST + 1, false],
])('%s', (_, foundAt, isGiven) => {
  const memories = openMemoryStore();
  try {
    const memoryId = memories.addNote('The cache is keyed by tenant');
    const call = callAt(memories.store, foundAt);
    const shown = { memoryId, title: '', how: 'full' as const, tokens: 9, reasons: ['cache'] };
    const context = giveMemories(call, 'prompt', 'Memories:', () => [{ text: 'The cache is keyed', shown }]);
    expect(context.text.includes('The cache is keyed')).toBe(isGiven);
    // Only memories that were given are recorded.
    expect(memories.store.findKnownMemories('one', 0).has(memoryId)).toBe(isGiven);
  } finally {
    memories.close();
  }
});

function callAt(store: OpenCall['store'], now: number): OpenCall {
  const paths = pathsOf(tempFolder());
  const env = readEnvironment({ HOME: paths.home, CAIRN_HOME: paths.home });
  const { settings } = loadSettings(paths.config, env);
  return {
    ...{ paths, env, settings, store, agent: claudeCode, until: UNTIL, latest: LATEST },
    event: { kind: 'prompt', sessionId: 'one', text: 'the cache?', origin: 'person' },
    log: createLog({ folder: paths.logs, from: 'test' }),
    now: () => now,
    wakeWorker: () => {},
    openStore: () => store,
    request: {
      ...{ agent: 'claude-code', agentSession: redactValue('one'), settings, longest: 10_000, now: BEGAN },
      ...{ project: { id: 1, name: 'shop' }, top: paths.home, worktree: null, branches: null },
    } as unknown as OpenCall['request'],
  };
}
