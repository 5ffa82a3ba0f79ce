import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryStoreForTest, openMemoryStore } from '../../test/support/memory-store.ts';
import { pause } from '../capture/pauses.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { recall } from '../recall/recall.ts';
import { findAliasToLearn, learnAlias, recordWeakSearch } from './learn-alias.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;

describe('a search in vain', () => {
  let memory: MemoryStoreForTest;
  let home: string;
  let paths: Paths;
  let id: number;
  beforeEach(() => {
    memory = openMemoryStore();
    home = mkdtempSync(join(tmpdir(), 'cairn-alias-'));
    paths = pathsOf(home);
    id = memory.addNote('Rate limiter of the sign-in page');
  });
  afterEach(() => {
    memory.close();
    rmSync(home, { recursive: true, force: true });
  });

  function search(words: string, { searcher = 'shell 1', at = NOW, agentSession }: Partial<Who> = {}): void {
    const { settings } = loadSettings(join(home, 'settings.json'), readEnvironment({}));
    const who = { paths, searcher, folder: home, ...(agentSession && { agentSession }) };
    recordWeakSearch({ store: memory.store, settings, now: () => at }, words, who);
  }

  function open(searcher = 'shell 1', at = NOW + MINUTE): string | null {
    const opened = memory.store.getMemory(id);
    const alias = opened && findAliasToLearn(memory.store, opened, searcher, at);
    if (alias) learnAlias(memory.store, id, alias, searcher, at);
    updateIndex(memory.store);
    return alias;
  }

  function found(text: string): number[] {
    return recall(memory.store, { text, projectId: 1, reach: 'project', limit: 5, now: NOW }).map(
      (hit) => hit.id,
    );
  }

  it('teaches the memory that is opened next the words that it lacks', () => {
    expect(found('nightclub bouncer')).toEqual([]);
    search('nightclub bouncer');
    expect(open()).toBe('nightclub bouncer');
    expect(memory.store.listLearntAliases(id)).toEqual(['nightclub bouncer']);
    expect(found('bouncer')).toEqual([id]);
    // Once.
    expect(open()).toBeNull();
  });

  it.each([
    { name: 'in another terminal', words: 'bouncer', searcher: 'shell 2' },
    { name: 'much later', words: 'bouncer', at: NOW + 6 * MINUTE },
    { name: 'words that it has', words: 'limiter' },
    { name: 'mostly words that it has', words: 'rate limiter bouncer' },
    { name: 'words without meaning', words: 'what is this' },
    { name: 'a number', words: '8080' },
    { name: 'a sentence', words: 'why does nobody get in twice' },
    { name: 'a secret', words: 'ghp_1234567890abcdefghijklmnopqrstuvwxyz12' },
  ])('teaches nothing: $name', ({ words, searcher, at }) => {
    search(words);
    expect(open(searcher, at)).toBeNull();
    expect(memory.store.listLearntAliases(id)).toEqual([]);
  });

  it('teaches nothing while capture is paused', () => {
    pause(paths, { all: true }, NOW);
    search('bouncer');
    expect(open()).toBeNull();
  });

  it('is taken back with one call, and its words are no longer found', () => {
    search('bouncer');
    open();
    expect(memory.store.removeLearntAlias(id, 'Bouncer')).toBe(true);
    expect(memory.store.removeLearntAlias(id, 'bouncer')).toBe(false);
    updateIndex(memory.store);
    expect(found('bouncer')).toEqual([]);
  });

  it('teaches at most five aliases, the oldest go first', () => {
    for (const [place, word] of ['alpha', 'bravo', 'charlie', 'delta', 'foxtrot', 'golf'].entries()) {
      search(word, { at: NOW + place });
      open('shell 1', NOW + place);
    }
    expect(memory.store.listLearntAliases(id)).toEqual(['bravo', 'charlie', 'delta', 'foxtrot', 'golf']);
  });

  it('goes with the memory, and is exported with it', () => {
    search('bouncer');
    open();
    const {
      memories: [exported],
    } = memory.store.listPortableMemories({ after: 0, limit: 9, withSuperseded: true });
    expect(exported?.aliases).toEqual(['bouncer']);
    memory.store.forget(
      { memories: [id], prompts: [], sessions: [] },
      { withSource: false, isDryRun: false },
      NOW,
    );
    expect(memory.db.prepare('SELECT * FROM learnt_aliases').all()).toEqual([]);
    expect(memory.db.prepare('SELECT * FROM weak_searches').all()).toEqual([]);
  });
});

interface Who {
  searcher: string;
  at: number;
  agentSession: string;
}
