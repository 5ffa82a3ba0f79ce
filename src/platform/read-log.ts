import { join } from 'node:path';
import { listNames, readIfThere } from './files.ts';

export type LogLine = Record<string, unknown>;

/** All lines of all days, oldest first. Truncated lines are left out. `isWanted` gets the line before it is parsed. */
export function readLogLines(folder: string, isWanted: (line: string) => boolean = () => true): LogLine[] {
  return listNames(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) =>
      (readIfThere(join(folder, name)) ?? '').split('\n').filter(isWanted).flatMap(parseLine),
    );
}

function parseLine(line: string): LogLine[] {
  try {
    return line ? [JSON.parse(line)] : [];
  } catch {
    return [];
  }
}
