// Draws docs/images/hook-time.svg from the tables in docs/benchmarks.md, so picture and tables cannot differ.

import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const TABLES_FILE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const PICTURE_FILE = fileURLToPath(new URL('../docs/images/hook-time.svg', import.meta.url));

/** The bars from top to bottom. `row` is the first cell of a row in docs/benchmarks.md. */
const BARS = [
  { group: 'Floors' },
  { label: '/bin/true', row: '/bin/true', kind: 'floor' },
  { label: 'node -e 0', row: 'node -e 0', kind: 'floor' },
  { group: 'Silent hook, after a tool call' },
  { label: 'Cairn', row: 'PostToolUse', kind: 'cairn' },
  { label: 'claude-mem', row: 'claude-mem: PostToolUse', kind: 'other' },
  { group: 'Answering hook, with a prompt' },
  { label: 'Cairn', row: 'prompt, something fits', kind: 'cairn' },
  { label: 'claude-mem', row: 'claude-mem: UserPromptSubmit', kind: 'other' },
  { group: 'Answering hook, at a session start' },
  { label: 'Cairn', row: 'start, nothing waiting', kind: 'cairn' },
  { label: 'claude-mem', row: 'claude-mem: SessionStart (context)', kind: 'other' },
];

const LEFT = 130;
const WIDTH = 520;
const BAR_HEIGHT = 24;
const GROUP_HEIGHT = 32;

export function writeHookPicture() {
  fs.writeFileSync(PICTURE_FILE, drawHookPicture(fs.readFileSync(TABLES_FILE, 'utf8')));
}

export function drawHookPicture(tables) {
  const bars = BARS.map((bar) => (bar.row ? { ...bar, ms: medianOf(tables, bar.row) } : bar));
  const longest = Math.max(...bars.map(({ ms }) => ms ?? 0));
  let top = 44;
  const drawn = bars.map((bar) => {
    const y = top;
    top += bar.group ? GROUP_HEIGHT : BAR_HEIGHT;
    return bar.group ? drawGroup(bar.group, y) : drawBar(bar, y, longest);
  });
  const height = top + 58;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}" role="img" aria-labelledby="title desc">
  <title id="title">How long the agent waits for one hook call</title>
  <desc id="desc">Median times. ${describeBars(bars)}</desc>
  <style>
    .paper { fill: #ffffff; stroke: #d0d7de; }
    .cairn { fill: #0969da; }
    .floor { fill: #8c959f; }
    .other { fill: #bc4c00; }
    text { font: 14px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .name { font-weight: 600; }
    .small { font-size: 12px; fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; stroke: #30363d; }
      .cairn { fill: #4493f8; }
      .floor { fill: #6e7681; }
      .other { fill: #db6d28; }
      text { fill: #e6edf3; }
      .small { fill: #9198a1; }
    }
  </style>
  <rect class="paper" x="0.5" y="0.5" width="759" height="${height - 1}" rx="8"/>
  <text class="name" x="24" y="32">How long the agent waits for one hook call (median)</text>
${drawn.join('\n')}
  <text class="small" x="24" y="${height - 31}">Linux x64, 2 cores, Node 20. Cairn: ${storeSize(tables)} in the store.</text>
  <text class="small" x="24" y="${height - 14}">claude-mem 13.25.3: its worker running, on another machine of the same kind. All figures: docs/benchmarks.md</text>
</svg>
`;
}

function drawGroup(title, y) {
  return `  <text class="small" x="24" y="${y + 22}">${title}</text>`;
}

function drawBar({ label, kind, ms }, y, longest) {
  const width = Math.max(1, (ms / longest) * WIDTH).toFixed(1);
  const name = kind === 'cairn' ? ' class="name"' : '';
  return [
    `  <text${name} x="${LEFT - 12}" y="${y + 14}" text-anchor="end">${label}</text>`,
    `  <rect class="${kind}" x="${LEFT}" y="${y + 2}" width="${width}" height="16"/>`,
    `  <text${name || ' class="small"'} x="${LEFT + Number(width) + 10}" y="${y + 14}">${asShown(ms)} ms</text>`,
  ].join('\n');
}

function describeBars(bars) {
  let group = '';
  const parts = bars.flatMap((bar) => {
    if (bar.group) group = bar.group;
    return bar.group ? [] : [`${group}: ${bar.label} ${asShown(bar.ms)} ms`];
  });
  return `${parts.join('; ')}.`;
}

function asShown(ms) {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}

function medianOf(tables, row) {
  const line = tables.split('\n').find((candidate) => candidate.startsWith(`| ${row} |`));
  const median = Number.parseFloat(line?.split('|')[2] ?? '');
  if (Number.isNaN(median)) throw new Error(`docs/benchmarks.md has no row "${row}" with a median.`);
  return median;
}

function storeSize(tables) {
  const size = /\*\*Answering hooks with (.+) in the store/.exec(tables)?.[1];
  if (!size) throw new Error('docs/benchmarks.md does not say how much was in the store.');
  return size;
}
