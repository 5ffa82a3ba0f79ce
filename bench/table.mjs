import { machineLine } from './machine.mjs';

// A section is { name, title, columns, rows: [{ cells, figures }], notes }; `cells` are formatted.

export function asText({ machine, sections }) {
  return [machineLine(machine), ...sections.map(textOf)].join('\n\n');
}

export function asMarkdown({ machine, sections }) {
  return [`Taken on: ${machineLine(machine)}.`, ...sections.map(markdownOf)].join('\n\n');
}

function textOf({ title, columns, rows, notes }) {
  const lines = [columns, ...rows.map(({ cells }) => cells)];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index].length)));
  const lineOf = (cells) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index])))
      .join('  ');
  return [title, ...lines.map((cells) => `  ${lineOf(cells)}`), ...notes.map((note) => `  ${note}`)].join(
    '\n',
  );
}

function markdownOf({ title, columns, rows, notes }) {
  const lineOf = (cells) => `| ${cells.join(' | ')} |`;
  const ruler = columns.map((_, index) => (index === 0 ? '---' : '---:'));
  const table = [columns, ruler, ...rows.map(({ cells }) => cells)].map(lineOf);
  return [`**${title}**`, table.join('\n'), ...notes].join('\n\n');
}

/** One row of figures, compared with an empty node. Without `isMet` there is no target. */
export function besideNode(name, { median, p95, p99, runs }, floor, isMet) {
  const timesNode = median / floor.median;
  const verdict = isMet ? (isMet({ timesNode, p99 }) ? 'met' : 'above target') : '';
  return {
    cells: [
      name,
      ...[median, p95, p99, floor.median].map(milliseconds),
      times(timesNode),
      String(runs),
      verdict,
    ],
    figures: { name, median, p95, p99, runs, emptyNode: floor.median, timesNode, verdict },
  };
}

export function milliseconds(value) {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

export function times(ratio) {
  return `${ratio.toFixed(2)} ×`;
}

export function whole(value) {
  return Math.round(value).toLocaleString('en-US');
}
