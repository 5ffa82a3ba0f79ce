import { call, ingestEvents, prompt } from './captured.ts';
import { type PastTurn, rememberTurn } from './memories.ts';
import type { PlainStore } from './plain-store.ts';

const MINUTE = 60_000;

const CAIRN = { path: '/nowhere/cairn/.git', name: 'cairn', worktree: '/nowhere/cairn', branch: 'viewer' };
const HARBOR = {
  path: '/nowhere/harbor-api/.git',
  name: 'harbor-api',
  worktree: '/nowhere/harbor-api',
  branch: 'main',
};
const NOTES = {
  path: '/nowhere/field-notes/.git',
  name: 'field-notes',
  worktree: '/nowhere/field-notes',
  branch: 'sync',
};

/** Stores a few days of work in three projects, as a person would find it. The latest memory is a decision. */
export function fillViewer(store: PlainStore, now: number): void {
  for (const { minutesAgo, ...turn } of TURNS)
    rememberTurn(store, { ...turn, at: now - minutesAgo * MINUTE });
}

/** The same, with a session in progress. */
export function fillSample(store: PlainStore, now: number): void {
  fillViewer(store, now);
  const { path, name, branch } = CAIRN;
  const at = (seconds: number) => ({
    session: 'viewer',
    place: { path, name, branch },
    at: now - seconds * 1_000,
  });
  ingestEvents(
    store,
    { ...at(48), event: prompt('Rows jump when new ones arrive while I scroll. Fix that.') },
    { ...at(40), event: call('Read', { file_path: '/nowhere/cairn/src/page/feed.tsx' }, '') },
    { ...at(31), event: call('Edit', { file_path: '/nowhere/cairn/src/page/feed.tsx' }, '') },
    { ...at(12), event: call('Bash', { command: 'npx vitest run src/api/feed.test.ts' }, '') },
  );
}

const TURNS: (Omit<PastTurn, 'at'> & { minutesAgo: number })[] = [
  {
    ...{ minutesAgo: 1_500, session: 'photos', place: NOTES, folder: '/nowhere/field-notes' },
    summary: {
      request: 'Photos taken offline should upload in order.',
      completed: 'Uploads follow the capture order.',
    },
    observations: [
      {
        type: 'feature',
        title: 'Upload queue keeps capture order',
        subtitle: 'Sequence number assigned at capture, not at upload',
        narrative:
          'Every photo gets its number when it is taken, so a slow upload cannot overtake an older one.',
        filesModified: ['src/upload/queue.ts'],
      },
    ],
  },
  {
    ...{ minutesAgo: 130, session: 'webhooks', place: HARBOR, folder: '/nowhere/harbor-api' },
    summary: {
      request: 'Webhook retries hammer the partner when it is down.',
      completed: 'Exponential backoff with jitter, capped at 15 minutes; dead letters after 8 tries.',
    },
    observations: [
      {
        type: 'bugfix',
        title: 'Retry loop ignored `Retry-After`',
        subtitle: '429 answers were retried at once; the header is now honoured up to the cap',
        narrative:
          'The loop slept a fixed second. It now reads `Retry-After` and doubles the wait otherwise.',
        filesModified: ['src/webhooks/retry.ts'],
      },
      {
        type: 'preference',
        title: 'Never log request bodies in this service',
        subtitle: 'Bodies carry bank details; log the id and the size only',
        narrative: 'Said twice: request bodies carry bank details.',
      },
      {
        type: 'refactor',
        title: 'Backoff moved to lib/backoff.ts',
        subtitle: 'Three copies with different caps became one function',
        narrative: 'One function with the cap as a parameter.',
        filesModified: ['lib/backoff.ts'],
      },
    ],
  },
  {
    ...{ minutesAgo: 40, session: 'viewer', place: CAIRN, folder: '/nowhere/cairn' },
    summary: {
      request: 'Which of the two frameworks starts faster here?',
      completed: 'Measured both on the same page; the difference is inside the noise.',
    },
    observations: [
      {
        type: 'discovery',
        title: 'Preact and Solid start equally fast here',
        subtitle: 'Three runs, the order changes each time; typing is two frames in both',
        narrative: 'Medians of three interleaved runs.',
      },
    ],
  },
  {
    ...{ minutesAgo: 25, session: 'viewer', place: CAIRN, folder: '/nowhere/cairn', commit: '8c41f2e0' },
    summary: {
      request: 'Page through the feed without offsets. 50,000 rows must feel like 50.',
      completed: 'Replaced offset paging by a keyset cursor; the list keeps 40 rows in the page.',
    },
    observations: [
      {
        type: 'how-it-works',
        title: 'How the virtual list measures rows',
        subtitle: 'Fixed 56 px rows; headers are rows too, so one height table is enough',
        narrative: 'Heights are known before a row is drawn.',
        filesRead: ['src/page/list.ts'],
      },
      {
        type: 'gotcha',
        title: 'EventSource holds one of six connections per host',
        subtitle: 'The seventh tab hangs for ever on HTTP/1.1; share one stream between tabs',
        narrative:
          'See https://example.com/six-connections for the measurement. <img src=x onerror=alert(1)>',
        facts: ['Six tabs with a stream each, then any request hangs', 'Web Locks elect one tab'],
      },
      {
        type: 'decision',
        title: 'Feed pages by (time, id) cursor, not by offset',
        subtitle: 'Offsets skip or repeat rows while the agent is writing; a keyset cursor cannot',
        narrative: [
          'While an agent works, rows are inserted at the top of the feed. With `OFFSET` every insert shifts the window,',
          'so the next page repeats a row or skips one. A keyset cursor on `(happened_at, id)` names a position that does',
          'not move.\n\n```sql\nSELECT … WHERE (happened_at, id) < (?, ?)\nORDER BY happened_at DESC, id DESC\nLIMIT 51\n```',
        ].join(' '),
        facts: [
          'Offset paging repeated 3 rows in a 200-row read while 10 were inserted',
          'The cursor is opaque to clients: base64url of time and id',
          'Search results still page by rank, and say so',
        ],
        filesModified: ['src/api/feed.ts', 'src/store/sqlite/feed.ts'],
      },
    ],
  },
];
