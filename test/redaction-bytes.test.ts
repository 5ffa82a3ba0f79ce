import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drain } from '../src/capture/drain.ts';
import { PRIVATE_MARK } from '../src/capture/private.ts';
import { listSpool, listTornFiles, writeSpoolFile } from '../src/capture/spool.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { loadSettings } from '../src/config/settings.ts';
import type { Json } from '../src/model/json.ts';
import { createLog } from '../src/platform/log.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../src/store/store.ts';
import { type HookWorld, makeHookWorld, recorded } from './support/hook-call.ts';
import { filesBelow, findLeaks, formsOf } from './support/leaks.ts';
import { shapeFamilies } from './support/secrets/all.ts';
import { drawFrom } from './support/secrets/draw.ts';
import { lookAlikes, secretShapes } from './support/secrets.ts';
import { tempFolder } from './support/temp.ts';

/** Where a payload can contain a text: the hook, the recording it is put into, and the fields that hold it. */
type Place = [name: string, hook: string, recording: string, fields: (text: string) => Record<string, Json>];

const places: Place[] = [
  ['command', 'PostToolUse', 'tools/PostToolUse.Bash', (text) => ({ tool_input: { command: text } })],
  [
    'output',
    'PostToolUse',
    'tools/PostToolUse.Bash',
    (text) => ({ tool_response: { stdout: text, stderr: '' } }),
  ],
  [
    'stderr, in the middle of lines',
    'PostToolUse',
    'tools/PostToolUse.Bash',
    (text) => ({ tool_response: { stdout: '', stderr: `first line\n${text}\nlast line` } }),
  ],
  [
    'deep inside',
    'PostToolUse',
    'tools/PostToolUse.Bash',
    (text) => ({ tool_input: { a: [{ b: { c: [text, 'neighbour'] } }] } }),
  ],
  [
    'JSON in a string',
    'PostToolUse',
    'tools/PostToolUse.Bash',
    (text) => ({ tool_response: { stdout: JSON.stringify({ output: text, ok: true }) } }),
  ],
  [
    'JSON in JSON in a string',
    'PostToolUse',
    'tools/PostToolUse.Bash',
    (text) => ({ tool_response: { stdout: JSON.stringify({ body: JSON.stringify({ output: text }) }) } }),
  ],
  [
    'file content',
    'PostToolUse',
    'tools/PostToolUse.Write.create',
    (text) => ({ tool_input: { file_path: '/p/.env', content: text } }),
  ],
  [
    'lines of a patch',
    'PostToolUse',
    'tools/PostToolUse.Edit',
    (text) => ({
      tool_response: {
        structuredPatch: [{ oldStart: 1, lines: text.split('\n').map((line) => `+${line}`) }],
      },
    }),
  ],
  [
    'old and new text of an edit',
    'PostToolUse',
    'tools/PostToolUse.Edit',
    (text) => ({
      tool_input: { file_path: '/p/.env', old_string: text, new_string: '' },
      tool_response: { oldString: text, originalFile: `a\n${text}\nb` },
    }),
  ],
  [
    'blocks of an MCP tool',
    'PostToolUse',
    'tools/PostToolUse.mcp__mem__mem_search',
    (text) => ({ tool_response: [{ type: 'text', text }] }),
  ],
  ['error', 'PostToolUseFailure', 'tools/PostToolUseFailure.Bash', (text) => ({ error: text })],
  [
    'batch',
    'PostToolBatch',
    'events/PostToolBatch.single',
    (text) => ({
      tool_calls: [{ tool_name: 'Bash', tool_use_id: 'batch', tool_input: {}, tool_response: text }],
    }),
  ],
  [
    'plan',
    'PermissionRequest',
    'tools/PermissionRequest.ExitPlanMode.with-plan',
    (text) => ({ tool_input: { plan: `# Plan\n${text}\n` } }),
  ],
  ['prompt', 'UserPromptSubmit', 'events/UserPromptSubmit', (text) => ({ prompt: `please: ${text}` })],
  ['closing words', 'Stop', 'events/Stop', (text) => ({ last_assistant_message: text })],
  [
    'report of a subagent',
    'SubagentStop',
    'events/SubagentStop',
    (text) => ({ last_assistant_message: text }),
  ],
  ['summary', 'PostCompact', 'events/PostCompact.manual', (text) => ({ compact_summary: text })],
  ['instructions', 'PreCompact', 'events/PreCompact.manual', (text) => ({ custom_instructions: text })],
];

/** One place of each kind: there are hundreds of shapes. */
const drawnPlaces: Place[] = [
  ...places.filter(([name]) => ['command', 'prompt', 'error'].includes(name)),
  [
    'file name',
    'PostToolUse',
    'tools/PostToolUse.Write.create',
    (text) => ({ tool_input: { file_path: `/p/my ${text}`, content: 'a' } }),
  ],
  [
    'argument of an MCP tool',
    'PostToolUse',
    'tools/PostToolUse.mcp__mem__mem_search',
    (text) => ({ tool_input: { query: text } }),
  ],
  [
    'branch and commit message',
    'PostToolUse',
    'tools/PostToolUse.Bash',
    (text) => ({ tool_response: { stdout: `[main ${'a1b2c3d'}] ${text}\n 1 file changed`, stderr: '' } }),
  ],
];

/** Writes real spool files and ingests them, with a log at debug level. */
function ingest(
  texts: { name: string; text: string }[],
  inPlaces: Place[],
): { world: HookWorld; store: Store } {
  const world = makeHookWorld(tempFolder());
  const { paths } = world;
  for (const [number, { text }] of texts.entries())
    for (const [name, hook, recording, fields] of inPlaces) {
      const session = `text-${number}`;
      const payload = recorded(recording, { tool_use_id: name, ...fields(text), session_id: session });
      writeSpoolFile(paths, { agent: 'claude-code', hook, via: 'settings' }, session, Buffer.from(payload));
    }
  // An open reader keeps a checkpoint from emptying the write-ahead log.
  const store = openSqliteStore(paths.database);
  const { settings } = loadSettings(paths.config, readEnvironment(world.env));
  const drained = drain({
    paths,
    settings,
    log: createLog({ folder: paths.logs, from: 'test', level: 'debug' }),
  });
  expect(drained).toEqual({
    state: 'done',
    stored: texts.length * inPlaces.length,
    doubled: 0,
    setAside: 0,
    left: 0,
  });
  expect([...listSpool(paths), ...listTornFiles(paths)]).toEqual([]);
  return { world, store };
}

/** All texts that the store returns for a session. */
function keptOf(store: Store, number: number): string[] {
  const [session] = store.findSessions(`text-${number}`).filter((it) => it.agentSession === `text-${number}`);
  return textsIn({ session, ...store.listSessionEvents(session?.id ?? -1) } as unknown as Json);
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [value.join('\n')];
  return Object.values(value).flatMap(textsIn);
}

describe('secrets', () => {
  test('appear in no byte of any file, wherever the payload has them', () => {
    const { world, store } = ingest(secretShapes, places);
    expect(filesBelow(world.home).map((path) => path.slice(world.home.length + 1))).toEqual(
      expect.arrayContaining(['cairn.db', 'cairn.db-wal', 'cairn.db-shm', expect.stringMatching(/^logs\//)]),
    );
    const leaks = secretShapes.flatMap(({ name, secret }, number) =>
      keptOf(store, number)
        .filter((text) => formsOf(secret).some((form) => text.includes(form)))
        .map((text) => `${name}: ${text.slice(0, 200)}`),
    );
    expect(leaks).toEqual([]);
    expect(findLeaks(world.home, secretShapes)).toEqual([]);
    store.close();

    openSqliteStore(world.paths.database).close();
    expect(findLeaks(world.home, secretShapes)).toEqual([]);
  });

  test('of every family appear in no byte, with random values', () => {
    const drawn = Object.values(shapeFamilies)
      .flat()
      .map(({ name, draw }, number) => ({ name, ...draw(drawFrom(number)) }));
    const { world, store } = ingest(drawn, drawnPlaces);
    expect(findLeaks(world.home, drawn)).toEqual([]);
    store.close();
  });

  test('appear in no byte when they are part of a URL', () => {
    const oneLine = secretShapes.filter(({ secret }) => !secret.includes('\n'));
    const urls = oneLine.flatMap(({ name, secret }) => {
      const encoded = encodeURIComponent(secret).replaceAll("'", '%27');
      return [
        {
          name,
          secret: encoded,
          text: `curl https://api.example.com/v1?page=2&access_token=${encoded}&x=1`,
        },
        { name, secret: encoded, text: `git clone https://someone:${encoded}@git.example.com/r.git` },
      ];
    });
    const { world, store } = ingest(urls, places.slice(0, 5));
    expect(findLeaks(world.home, urls)).toEqual([]);
    store.close();
  });

  test('are all found when one payload contains many', () => {
    const all = { name: 'all', text: secretShapes.map(({ text }) => text).join('\n\n') };
    const { world, store } = ingest([all], places);
    expect(findLeaks(world.home, secretShapes)).toEqual([]);
    store.close();
  });
});

describe('texts that only look like secrets', () => {
  test('are returned by the store unchanged', () => {
    // Escaping changes a text inside a JSON string, and lines of a patch start with their sign.
    const verbatimPlaces = places.filter(([name]) => !/JSON|patch/.test(name));
    const { store } = ingest(lookAlikes, verbatimPlaces);
    const changed = lookAlikes.flatMap(({ name, text }, number) => {
      const kept = keptOf(store, number).filter((it) => it.includes(text));
      return kept.length >= verbatimPlaces.length
        ? []
        : [`${name}: in ${kept.length} of ${verbatimPlaces.length} places`];
    });
    expect(changed).toEqual([]);
    store.close();
  });
});

describe('private parts', () => {
  const WORD = 'Rumpelstiltskin';
  const parts: { name: string; text: string; keeps: string[] }[] = [
    { name: 'closed', text: `before <private>${WORD}</private> after`, keeps: ['before', 'after'] },
    {
      name: 'over several lines',
      text: `before\n<private>\na\n${WORD}\nb\n</private>\nafter`,
      keeps: ['before', 'after'],
    },
    {
      name: 'nested',
      text: `before <private>a <private>b</private> ${WORD}</private> after`,
      keeps: ['before', 'after'],
    },
    { name: 'unclosed', text: `before <private>${WORD} and all the rest`, keeps: ['before'] },
    { name: 'in capitals', text: `before <PRIVATE>${WORD}</PRIVATE> after`, keeps: ['before', 'after'] },
    {
      name: 'context given earlier',
      text: `before <cairn-context>\n${WORD}\n</cairn-context> after`,
      keeps: ['before', 'after'],
    },
    {
      name: 'context of another memory',
      text: `before <claude-mem-context>\n${WORD}\n</claude-mem-context> after`,
      keeps: ['before', 'after'],
    },
  ];

  test('appear in no byte of any file, and the text around them stays', () => {
    const { world, store } = ingest(parts, places);
    expect(findLeaks(world.home, [{ name: 'private word', secret: WORD }])).toEqual([]);
    const lost = parts.flatMap(({ name, keeps }, number) => {
      const kept = keptOf(store, number).filter((text) => keeps.every((word) => text.includes(word)));
      return kept.length >= places.length ? [] : [`${name}: in ${kept.length} of ${places.length} places`];
    });
    expect(lost).toEqual([]);
    store.close();
    openSqliteStore(world.paths.database).close();
    expect(findLeaks(world.home, [{ name: 'private word', secret: WORD }])).toEqual([]);
  });

  test.each([
    ['first', 0],
    ['last, as after a slow hook', 3],
  ])('that are the whole prompt leave only its number; the prompt comes %s', (_name, promptAt) => {
    const world = makeHookWorld(tempFolder());
    const { paths } = world;
    const scene = { session_id: 'text-0', prompt_id: 'private-turn' };
    const sent: [number, string, string, Record<string, Json>][] = [
      [promptAt, 'UserPromptSubmit', 'events/UserPromptSubmit', { prompt: `<private>${WORD}</private>` }],
      [1, 'PostToolUse', 'tools/PostToolUse.Bash', { tool_response: { stdout: 'its doing' } }],
      [2, 'Stop', 'events/Stop', { last_assistant_message: 'its answer' }],
    ];
    for (const [at, hook, recording, fields] of sent) {
      const payload = Buffer.from(recorded(recording, { ...scene, ...fields }));
      const name = writeSpoolFile(paths, { agent: 'claude-code', hook, via: 'settings' }, 'text-0', payload);
      utimesSync(join(paths.spool, name), 1_700_000_000 + at, 1_700_000_000 + at);
    }
    const { settings } = loadSettings(paths.config, readEnvironment(world.env));
    drain({ paths, settings, log: createLog({ folder: paths.logs, from: 'test', level: 'debug' }) });
    const store = openSqliteStore(paths.database);
    const [session] = store.findSessions('text-0');
    expect(store.listSessionEvents(session?.id ?? -1)).toEqual({
      prompts: [
        { number: 1, at: (1_700_000_000 + promptAt) * 1_000, text: '', origin: 'person', isPrivate: true },
      ],
      events: [],
    });
    store.close();
    const words = [WORD, 'its doing', 'its answer', PRIVATE_MARK].map((secret) => ({ name: secret, secret }));
    expect(findLeaks(world.home, words)).toEqual([]);
  });
});
