import fs from 'node:fs';
import { join } from 'node:path';
import { makeProject, workFolder } from './home.mjs';
import { again, allRecorded, createRealText, largeToolEnd } from './payloads.mjs';
import { loadProduct } from './product.mjs';
import { milliseconds, times, whole } from './table.mjs';

const FILES = 5_000;
const LARGE_BYTES = 30_000;
/** The batch sizes of the intake. */
const BATCH_FILES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

export async function measure({ say }) {
  const product = await loadProduct();
  const work = workFolder();
  const folder = makeProject(`${work}/project`);
  const payloads = allRecorded(product.registeredEvents.map(({ event }) => event));
  const realText = createRealText();
  const kinds = [
    { name: 'recorded mean size', least: 2_000, payload: (index) => payloads[index % payloads.length] },
    { name: '30 kB', least: 500, payload: () => largeToolEnd(realText, LARGE_BYTES) },
  ];
  const rows = kinds.map(({ name, least, payload }, index) => {
    say(`  ${whole(FILES)} files, ${name} …`);
    const home = join(work, `home-${index}`);
    const texts = writeSpool(product, home, folder, payload);
    const measured = ingest(product, home);
    const redactionMs = redaction(product, texts);
    const floorMs = bareSql(product, home, join(work, `bare-${index}.db`));
    return row({
      name,
      least,
      bytes: mean(texts.map((text) => text.length)),
      redactionMs,
      floorMs,
      ...measured,
    });
  });
  return {
    title: `Intake: ${whole(FILES)} spool files, redacted, full sync`,
    columns: [
      '',
      'mean size',
      'events/s',
      'bare SQL rows/s',
      '× bare SQL',
      'redaction',
      'a file',
      'at least',
      'target',
    ],
    rows,
    notes: [
      'Bare SQL: the same rows, one prepared statement each, in the same batches. An event here is a spool file.',
    ],
  };
}

function writeSpool(product, home, folder, payload) {
  const paths = product.pathsOf(home);
  return Array.from({ length: FILES }, (_, index) => {
    const session = `7c1c7a52-0000-4000-8000-${String(index % 10).padStart(12, '0')}`;
    const wire = again(payload(index), { session, folder });
    const text = JSON.stringify(wire);
    const header = { agent: 'claude-code', hook: wire.hook_event_name, via: 'settings', projectDir: folder };
    product.writeSpoolFile(paths, header, session, Buffer.from(text));
    return text;
  });
}

function ingest(product, home) {
  const paths = product.pathsOf(home);
  const { settings } = product.loadSettings(paths.config, product.readEnvironment({}));
  const log = product.createLog({ folder: paths.logs, from: 'bench' });
  const store = product.openSqliteStore(paths.database);
  const began = performance.now();
  const result = product.ingestSpool({ paths, settings, log, store });
  const ms = performance.now() - began;
  store.close();
  if (result.left + result.setAside > 0) throw new Error(`Not all was taken in: ${JSON.stringify(result)}`);
  return { ms, ...result };
}

function redaction(product, texts) {
  const payloads = texts.map((text) => JSON.parse(text));
  const began = performance.now();
  for (const payload of payloads) product.cleanPayload(payload);
  return performance.now() - began;
}

/** Inserts the rows that the intake has stored into an empty database with the same tables. */
function bareSql(product, home, copy) {
  const from = product.openDatabase(product.pathsOf(home).database);
  const into = product.openDatabase(copy);
  into.exec('PRAGMA foreign_keys = OFF');
  const columns = from
    .prepare('PRAGMA table_info(events)')
    .all()
    .map(({ name }) => name);
  const rows = from.prepare('SELECT * FROM events ORDER BY id').all();
  from.close();
  const insert = into.prepare(`INSERT INTO events VALUES (${columns.map(() => '?').join(', ')})`);
  const batches = inBatches(rows.map((row) => columns.map((column) => row[column])));
  const began = performance.now();
  for (const batch of batches)
    product.inTransaction(into, () => {
      for (const values of batch) insert.run(...values);
    });
  const ms = performance.now() - began;
  into.close();
  fs.rmSync(copy);
  return (ms / rows.length) * FILES;
}

function inBatches(rows) {
  const batches = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (bytes >= BATCH_BYTES || batches.at(-1).length >= BATCH_FILES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1).push(row);
    for (const value of row) bytes += typeof value === 'string' ? value.length : 8;
  }
  return batches;
}

function row({ name, least, bytes, ms, stored, redactionMs, floorMs }) {
  const perSecond = (FILES / ms) * 1_000;
  const bare = (FILES / floorMs) * 1_000;
  const verdict = perSecond >= least ? 'met' : 'below target';
  return {
    cells: [
      name,
      `${whole(bytes)} B`,
      whole(perSecond),
      whole(bare),
      times(ms / floorMs),
      `${Math.round((redactionMs / ms) * 100)} %`,
      milliseconds(ms / FILES),
      whole(least),
      verdict,
    ],
    figures: {
      name,
      bytes,
      files: FILES,
      rows: stored,
      ms,
      perSecond,
      bareRowsPerSecond: bare,
      redactionMs,
      verdict,
    },
  };
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
