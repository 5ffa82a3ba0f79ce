import { allRecorded, createRealText } from './payloads.mjs';
import { loadProduct } from './product.mjs';
import { times, whole } from './table.mjs';

const RUNS = 30;
/** Until the code is compiled, because an intake runs for minutes. */
const WARM_UP_MS = 1_000;
const COLOURED_LINES = 2_000;

/** The speed of redaction, compared with the minimum for every payload: parsing and writing it as JSON. */
export async function measure() {
  const { cleanPayload, registeredEvents } = await loadProduct();
  const realText = createRealText();
  const kinds = {
    'recorded payloads': allRecorded(registeredEvents.map(({ event }) => event)),
    'sources, lock file, log': Array.from({ length: 12 }, () => realText(30_000)),
    'coloured test output': [colouredText()],
  };
  const rows = Object.entries(kinds).map(([name, payloads]) => {
    const texts = payloads.map((payload) => JSON.stringify(payload));
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    const ms = medianOf(payloads, cleanPayload);
    const floorMs = medianOf(texts, (text) => JSON.stringify(JSON.parse(text)));
    const [perSecond, floorPerSecond] = [ms, floorMs].map((it) => bytes / it / 1_000);
    return {
      cells: [
        name,
        `${whole(bytes / 1_000)} kB`,
        whole(perSecond),
        whole(floorPerSecond),
        times(ms / floorMs),
      ],
      figures: { name, bytes, ms, floorMs, perSecond, floorPerSecond },
    };
  });
  return {
    title: 'Redaction',
    columns: ['', 'size', 'MB/s', 'JSON MB/s', '× JSON'],
    rows,
    notes: ['JSON: the same texts through JSON.parse and JSON.stringify.'],
  };
}

function medianOf(items, process) {
  const run = () => {
    const began = performance.now();
    for (const item of items) process(item);
    return performance.now() - began;
  };
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end; ) run();
  const measured = Array.from({ length: RUNS }, run);
  return measured.sort((a, b) => a - b)[RUNS / 2];
}

function colouredText() {
  const line = (number) =>
    `\u001b[32m✓\u001b[39m src/part${number}.test.ts \u001b[2m(\u001b[22m${number} tests\u001b[2m)\u001b[22m \u001b[33m${number}ms\u001b[39m`;
  return Array.from({ length: COLOURED_LINES }, (_, number) => line(number)).join('\n');
}
