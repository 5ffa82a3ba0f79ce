import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tokenise } from '../indexing/tokenise.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { recall } from './recall.ts';
import type { Hit } from './request.ts';

/** Every reason of every hit for every question of the coding set, checked against the stored text. */

const NOW = Date.UTC(2027, 0, 1);
const folder = mkdtempSync(join(tmpdir(), 'cairn-reasons-'));
const path = join(folder, 'cairn.db');
const projects = fillStore();
const store = openSqliteStore(path);
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every reason over the coding set is true', () => {
  updateIndex(store);
  const questions = readLines<{ group: string; text: string }>('queries.jsonl');
  const kinds = new Map<string, number>();
  const untrue: unknown[] = [];
  for (const { group, text } of questions) {
    const request = { text, projectId: projects.get(group) ?? null, reach: 'project' as const };
    for (const hit of recall(store, { ...request, limit: 10, now: NOW })) {
      const [memory] = store.getMemories([hit.id]);
      for (const reason of hit.reasons) {
        const kind = kindOf(reason);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (!memory || !isTrue(reason, memory, hit, text)) untrue.push({ text, id: hit.id, reason });
      }
    }
  }
  expect(untrue).toEqual([]);
  expect(questions).toHaveLength(676);
  // So that the test cannot pass without reasons.
  for (const kind of ['title says', 'says', 'for', 'about', 'shares', 'age'])
    expect(kinds.get(kind)).toBeGreaterThan(100);
}, 120_000);

const KINDS = ['title says', 'says', 'for', 'also called', 'about', 'shares', 'from that time'];

function kindOf(reason: string): string {
  return (
    KINDS.find((kind) => reason.startsWith(kind)) ??
    (/^(?:today|\d+ (?:day|month|year)s? old)$/.test(reason) ? 'age' : reason)
  );
}

function isTrue(reason: string, memory: StoredMemory, { id }: Hit, question: string): boolean {
  const { title, narrative, subtitle, facts, concepts, filesModified, filesRead, branch, saidBy } = memory;
  const text = [subtitle, narrative, ...facts].join('\n');
  const about = [...concepts, ...filesModified, ...filesRead, branch, saidBy].join('\n');
  const words = (kind: string) => reason.slice(kind.length + 1).split(', ');
  switch (kindOf(reason)) {
    case 'title says':
      return words('title says').every((word) => title.includes(word));
    case 'says':
      return words('says').every((word) => text.includes(word));
    case 'for': {
      const [, asked = '', found = ''] = /^for “(.+)”: (.+)$/.exec(reason) ?? [];
      const all = [title, text, about].join('\n');
      return question.includes(asked) && found.split(' ').every((word) => word !== '' && all.includes(word));
    }
    case 'about':
      return words('about').every((word) => about.includes(word));
    case 'shares': {
      const [, name = '', from] = /^shares `(.+)` with #(\d+)$/.exec(reason) ?? [];
      const [other] = store.getMemories([Number(from)]);
      const plain = (one: StoredMemory) => textOf(one).toLowerCase().replace(/[-_]/g, '');
      const same = name
        .toLowerCase()
        .replace(/[-_]/g, '')
        .replace(/^v(?=\d)/, '');
      // The other may write it in another form: `NO_PROXY` and `no-proxies`.
      const forms = new Set(other ? tokenise(textOf(other)) : []);
      return (
        Number(from) !== id && plain(memory).includes(same) && tokenise(name).some((form) => forms.has(form))
      );
    }
    case 'from that time':
    case 'age':
      return true;
    default:
      return false;
  }
}

function textOf({ title, narrative, facts, concepts, filesModified }: StoredMemory): string {
  return [title, narrative, ...facts, ...concepts, ...filesModified].join('\n');
}

interface CodingDoc {
  group: string;
  kind: string;
  type: string | null;
  branch?: string;
  title: string;
  text: string;
  facts?: string[];
  concepts?: string[];
  files?: string[];
  at: string;
  speaker: string;
}

function readLines<Line>(name: string): Line[] {
  const file = new URL(`../../bench/coding-set/${name}`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function fillStore(): Map<string, number> {
  const db = openDatabase(path);
  const ids = new Map<string, number>();
  const addMemory = db.prepare(`
    INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, project_id, branch,
      distiller, at, changed_at, said_by)
    VALUES (?, ?, ?, '', ?, ?, ?, 0, ?, ?, 'offline', ?, 0, ?)`);
  const addFile = db.prepare(
    "INSERT OR IGNORE INTO memory_files (memory_id, path, how) VALUES (?, ?, 'write')",
  );
  db.exec('BEGIN');
  for (const doc of readLines<CodingDoc>('docs.jsonl')) {
    const known = ids.get(doc.group);
    const project =
      known ??
      Number(
        db.prepare('INSERT INTO projects (name, created_at) VALUES (?, 0)').run(doc.group).lastInsertRowid,
      );
    ids.set(doc.group, project);
    const { lastInsertRowid: id } = addMemory.run(
      ...[doc.kind, doc.type, doc.title, doc.text, JSON.stringify(doc.facts ?? [])],
      ...[JSON.stringify(doc.concepts ?? []), project, doc.branch ?? null, Date.parse(doc.at), doc.speaker],
    );
    for (const file of doc.files ?? []) addFile.run(id, file);
  }
  db.exec('COMMIT');
  db.close();
  return ids;
}
