const WIDTH = 98;

/** Wraps text at words to a width that fits every terminal, and starts each line with the indent. */
export function wrap(text: string, indent: string): string {
  return text
    .split('\n')
    .flatMap((paragraph) => wrapLine(paragraph, WIDTH - indent.length))
    .map((line) => (indent + line).trimEnd())
    .join('\n');
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function formatMilliseconds(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
