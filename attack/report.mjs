import { COUNTS } from './tally.mjs';

/** One row per part, then the failures, then the leaks per family of secrets. */
export function formatReport(results) {
  const rows = results.map(({ name, tally, seconds, skipped }) =>
    skipped
      ? [name, `skipped: ${skipped}`]
      : [name, ...COUNTS.map((count) => String(tally.counts[count])), seconds.toFixed(1)],
  );
  const blocks = [formatTable([['part', ...COUNTS, 'seconds'], ...rows])];
  for (const { name, tally } of results)
    if (tally && tally.findings.length + tally.notes.length > 0)
      blocks.push([`${name}:`, ...[...tally.notes, ...tally.findings].map((line) => `  ${line}`)].join('\n'));
  for (const { leaks } of results) if (leaks) blocks.push(formatLeaks(leaks));
  return blocks.join('\n\n');
}

function formatLeaks(leaks) {
  const rows = leaks.map(({ family, tried, leaked, examples }) => [
    family,
    String(tried),
    String(leaked),
    `${((100 * leaked) / Math.max(tried, 1)).toFixed(1)} %`,
    examples.slice(0, 4).join(', '),
  ]);
  return `Leaks per family of secrets\n${formatTable([['family', 'tried', 'leaked', 'rate', 'leaking shapes (where)'], ...rows])}`;
}

/** The first column and cells beyond the header are left-aligned; a row may have fewer cells. */
function formatTable(lines) {
  const [header] = lines;
  const isText = (index) => index === 0 || header[index].startsWith('leaking');
  const widths = header.map((_, index) =>
    Math.max(...lines.filter((cells) => cells.length === header.length).map((cells) => cells[index].length)),
  );
  widths[0] = Math.max(...lines.map(([first]) => first.length));
  return lines
    .map((cells) =>
      cells
        .map((cell, index) =>
          isText(index) || cells.length < header.length
            ? cell.padEnd(widths[index])
            : cell.padStart(widths[index]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
