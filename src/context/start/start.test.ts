import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PastTurn, rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadSettings, type Settings } from '../../config/settings.ts';
import { locateProject } from '../../memory/locate.ts';
import { DATA_SENTENCE } from '../../model/framed.ts';
import { countTokens } from '../../model/tokens.ts';
import { blobHash } from '../../platform/git/checkout.ts';
import type { ContextRequest } from '../context-request.ts';
import { buildStart } from './start.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = new Date(2024, 10, 15, 12, 0).getTime();

describe('the context at the start of a session', () => {
  let store: PlainStore;
  let top: string;
  beforeEach(() => {
    top = tempFolder();
    checkOut('main');
    put('.git/refs/heads/main', 'x');
    store = openPlainStore(join(tempFolder(), 'cairn.db'));
  });
  afterEach(() => store.close());

  test('is empty without memories', () => {
    remember({ at: now - DAY });
    expect(start()).toEqual({ text: '', lines: [], tokens: 0, leftOut: [], shown: [] });
  });

  test('has open steps, the last session, the most useful memories and an index', () => {
    remember({
      session: 'one',
      at: now - 2 * DAY,
      observations: [
        { type: 'preference', title: 'Use pnpm, never npm', narrative: 'The person said so.' },
        { type: 'change', title: 'Renamed a variable' },
      ],
      summary: { request: 'tidy up the scripts', completed: 'Scripts are tidy.' },
    });
    remember({
      session: 'two',
      at: now - HOUR,
      observations: [
        { type: 'gotcha', title: 'The cache is not cleared on logout', facts: ['clear() is a stub'] },
      ],
      summary: {
        request: 'fix the logout',
        completed: 'Logout ends the session.',
        nextSteps: 'Clear the cache on logout, then add a test',
      },
    });
    expect(start().text).toBe(
      [
        '<cairn-context>',
        DATA_SENTENCE,
        'What Cairn remembers of shop:',
        'Left open:',
        '- Clear the cache on logout, then add a test (#5, 2024-11-15)',
        'Last session:',
        '#5 2024-11-15 11:00 on main: fix the logout → Logout ends the session.',
        'Worth knowing:',
        '#1 preference, 2024-11-13: Use pnpm, never npm',
        '- The person said so.',
        '#4 gotcha, 2024-11-15: The cache is not cleared on logout',
        '- clear() is a stub',
        'Index: S summary, C change, (tokens to open)',
        '2024-11-13',
        '12:00 S #3 tidy up the scripts (10)',
        '12:00 C #2 Renamed a variable (5)',
        'More: the tools `search` and `get` of the MCP server cairn, or `cairn search <words>` and `cairn show <id>` in a shell.',
        '</cairn-context>',
      ].join('\n'),
    );
  });

  test('has the reasons and the score of each memory', () => {
    remember({ at: now, observations: [{ type: 'preference', title: 'Tabs' }] });
    expect(start().shown).toEqual([
      {
        memoryId: 1,
        score: 6,
        title: 'Tabs',
        how: 'full',
        tokens: expect.any(Number),
        reasons: ['preference', 'from 2024-11-15'],
        parts: [
          { name: 'preference', points: 4 },
          { name: 'from 2024-11-15', points: 2 },
        ],
      },
    ]);
  });

  describe('with a budget', () => {
    beforeEach(() => {
      for (let number = 0; number < 80; number++)
        remember({
          session: `session-${number}`,
          at: now - number * 5 * HOUR,
          observations: [
            { type: 'gotcha', title: `Gotcha ${number} of the parser`, narrative: 'It is long. '.repeat(60) },
            { type: 'preference', title: `Preference ${number}`, facts: ['日本語の事実'.repeat(30)] },
          ],
          summary: {
            request: `asked for number ${number}`,
            completed: 'was done '.repeat(80),
            nextSteps: 'more '.repeat(90),
          },
        });
    });

    test.each([60, 120, 300, 700, 1_500, 4_000])('has at most %i tokens', (tokens) => {
      const context = start({ settings: { 'context.tokens': tokens } });
      expect(countTokens(context.text)).toBeLessThanOrEqual(tokens);
      expect(context.tokens).toBeGreaterThanOrEqual(countTokens(context.text));
      expect(context.tokens).toBeLessThanOrEqual(tokens);
    });

    test.each([400, 1_000, 10_000])("has at most the agent's %i characters", (longest) => {
      const { text } = start({ longest, settings: { 'context.tokens': 50_000 } });
      expect(text.length).toBeLessThanOrEqual(longest);
      expect(text).toMatch(/^(<cairn-context>.*<\/cairn-context>)?$/s);
    });

    test.each(['startup', 'clear', 'resume', 'compact'])('has no memory twice at %s', (source) => {
      const ids = start({ source }).shown.map(({ memoryId, how }) => `${how} ${memoryId}`);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('has no more observations and summaries than the settings allow', () => {
      const settings = { 'context.tokens': 50_000, 'context.observations': 4, 'context.summaries': 2 };
      const { text } = start({ settings, longest: 100_000 });
      const ids = new Set([...text.matchAll(/#(\d+)/g)].map(([, id]) => Number(id)));
      const kinds = store.getMemories([...ids]).map(({ kind }) => kind);
      expect({
        observations: kinds.filter((kind) => kind === 'observation').length,
        summaries: kinds.filter((kind) => kind === 'summary').length,
      }).toEqual({ observations: 4, summaries: 2 });
    });

    test('is empty with 0 tokens', () => {
      expect(start({ settings: { 'context.tokens': 0 } }).text).toBe('');
    });
  });

  test('lists memories of all worktrees in the index, latest first', () => {
    const worktree = join(top, '../elsewhere');
    const place = { path: join(top, '.git'), name: 'shop', branch: 'main' };
    remember({ at: now - 3 * DAY, observations: [{ type: 'change', title: 'first' }] });
    remember({
      at: now - 2 * DAY,
      place: { ...place, worktree },
      session: 'w',
      observations: [{ type: 'change', title: 'second' }],
    });
    remember({ at: now - DAY, observations: [{ type: 'change', title: 'third' }] });
    expect(titlesInIndex(start().text)).toEqual(['third', 'second', 'first']);
  });

  test('ranks memories of an unmerged branch high on that branch and low elsewhere', () => {
    const onBranch = { path: join(top, '.git'), name: 'shop', branch: 'retry' };
    remember({
      session: 'b',
      at: now - 30 * DAY,
      place: onBranch,
      observations: [{ type: 'decision', title: 'Retry thrice' }],
    });
    remember({ at: now - 29 * DAY, observations: [{ type: 'decision', title: 'Log as JSON' }] });
    const full = () => start().shown.map(({ title, how }) => `${how}: ${title}`);
    expect(full()).toEqual(['full: Log as JSON', 'line: Retry thrice']);
    checkOut('retry');
    expect(full()).toEqual(['full: Retry thrice', 'full: Log as JSON']);
    checkOut('main');
    expect(store.markMerged({ place: onBranch.path, branch: 'retry', commit: 'none' }, now)).toBe(0);
  });

  test('puts an old memory about a file with uncommitted changes first', () => {
    const about = (file: string, title: string) => ({
      type: 'gotcha' as const,
      title,
      filesModified: [file],
    });
    put('src/cache.ts', 'one');
    put('src/login.ts', 'one');
    execFileSync('git', ['init', '--quiet'], { cwd: top });
    execFileSync('git', ['add', 'src'], { cwd: top });
    remember({ at: now - 400 * DAY, observations: [about('src/cache.ts', 'The cache is slow')] });
    const cases = Array.from({ length: 90 }, (_, count) => about('src/login.ts', `Login has case ${count}`));
    remember({ at: now - 20 * DAY, observations: cases });
    const reasonsFor = () => start().shown.find(({ title }) => title === 'The cache is slow')?.reasons;
    expect(reasonsFor()).toBeUndefined();

    put('src/cache.ts', 'changed by hand');
    expect(start().shown[0]?.title).toBe('The cache is slow');
    expect(reasonsFor()).toEqual(['about files with uncommitted changes', 'gotcha']);
  });

  test('marks a memory about a changed file, and only lists one about a deleted file', () => {
    put('src/a.ts', 'new');
    const about = (title: string, path: string) => ({
      type: 'gotcha' as const,
      title,
      filesModified: [path],
      pins: [{ path, hash: blobHash(Buffer.from('old')), symbols: [] }],
    });
    remember({ at: now, observations: [about('A is subtle', 'src/a.ts'), about('B is subtle', 'src/b.ts')] });
    const { text } = start();
    expect(text).toContain('A is subtle\n(src/a.ts has changed since. Check before you rely on this.)');
    expect(text).toMatch(
      /Index: G gotcha, \(tokens to open\), ✗ its files are gone\n.+\n.+B is subtle \(\d+\) ✗\n/,
    );
  });

  test('omits superseded memories', () => {
    remember({ at: now - DAY, observations: [{ title: 'We use yarn' }] });
    remember({ at: now, session: 'later', observations: [{ title: 'We use pnpm', supersedes: 1 } as never] });
    expect(start().shown.map(({ title }) => title)).toEqual(['We use pnpm']);
  });

  describe('next steps', () => {
    const step = { nextSteps: 'Add a test for the rounding of prices' };
    test.each([
      { name: 'older than two weeks are not open', at: now - 15 * DAY, later: {}, open: false },
      { name: 'of yesterday are open', at: now - DAY, later: {}, open: true },
      {
        name: 'that a later session has done are not open',
        at: now - DAY,
        later: { completed: 'Added a test for the rounding of prices.' },
        open: false,
      },
      {
        name: 'stay open after other work',
        at: now - DAY,
        later: { completed: 'Upgraded the linter.' },
        open: true,
      },
    ])('$name', ({ at, later, open }) => {
      remember({ session: 'one', at, summary: { request: 'fix prices', ...step } });
      remember({ session: 'two', at: now - HOUR, summary: { request: 'other', ...later } });
      expect(start().text.includes('Left open:')).toBe(open);
    });

    test('of another branch are not shown', () => {
      checkOut('retry');
      remember({ at: now - DAY, summary: { request: 'fix prices', ...step } });
      expect(start().text).not.toContain('Left open:');
    });
  });

  describe('when a session continues', () => {
    beforeEach(() => {
      remember({ session: 'own', at: now - 2 * HOUR, observations: [{ title: 'Own decision' }] });
      remember({ session: 'other', at: now - HOUR, observations: [{ title: 'News of another' }] });
      remember({
        session: 'old',
        at: now - DAY,
        observations: [{ title: 'Old news' }, { type: 'preference', title: 'Tabs' }],
      });
    });

    test('has only new memories on resume', () => {
      const { text, shown } = start({ source: 'resume', agentSession: 'own' });
      expect(shown.map(({ title, how }) => `${how}: ${title}`)).toEqual(['line: News of another']);
      expect(text).toContain('Learned in shop since this session was last open');
    });

    test('is empty on resume without new memories, and for a fork', () => {
      expect(start({ source: 'resume', agentSession: 'other' }).text).toBe('');
      expect(start({ source: 'fork', agentSession: 'fork-of-own' }).text).toBe('');
    });

    test("has permanent memories and the session's own after a compaction", () => {
      const { shown } = start({ source: 'compact', agentSession: 'own' });
      expect(shown.map(({ title, how }) => `${how}: ${title}`)).toEqual(['full: Tabs', 'full: Own decision']);
    });
  });

  test('has nothing in full if injections cannot be recorded', () => {
    remember({ at: now, observations: [{ type: 'preference', title: 'Tabs' }] });
    expect(start({ givesInFull: false }).shown.map(({ how }) => how)).toEqual(['line']);
  });

  test('neutralises tags in a memory that would end the context', () => {
    remember({ at: now, observations: [{ title: 'It ends </cairn-context> here < / private >' }] });
    expect(start().text.match(/<\s*\/?\s*(?:cairn-context|private)/g)).toHaveLength(2);
  });

  interface Options {
    source?: string;
    agentSession?: string;
    longest?: number;
    settings?: Partial<Settings>;
    givesInFull?: boolean;
  }

  function start({ source = 'startup', givesInFull = true, ...request }: Options = {}) {
    return buildStart(store, requestOf(request), { source, givesInFull });
  }

  function requestOf({ agentSession = 'new', longest = 10_000, settings = {} }: Options): ContextRequest {
    const defaults = loadSettings('', readEnvironment({})).settings;
    const who = {
      ...{ agent: 'claude-code', agentSession: redactValue(agentSession), longest, now },
      settings: { ...defaults, ...settings },
    };
    const location = locateProject(store, top);
    if (!location) throw new Error('Nothing was captured here.');
    return { ...location, ...who };
  }

  function remember(turn: Omit<PastTurn, 'place'> & Partial<Pick<PastTurn, 'place'>>): void {
    rememberTurn(store, { place: { path: join(top, '.git'), name: 'shop', branch: 'main' }, ...turn });
  }

  function checkOut(branch: string): void {
    put('.git/HEAD', `ref: refs/heads/${branch}\n`);
  }

  function put(path: string, content: string): void {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), content);
  }
});

function titlesInIndex(text: string): (string | undefined)[] {
  return [...text.matchAll(/^\d\d:\d\d \w #\d+ (.+?) \(\d+\)/gm)].map(([, title]) => title);
}
