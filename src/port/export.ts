import { VERSION } from '../platform/version.ts';
import type { Store } from '../store/store.ts';
import type { PortableMemory, PortQuery } from '../store/types/port.ts';
import { formatExportLine, formatHeader } from './export-line.ts';
import { formatMarkdown } from './markdown.ts';

export const EXPORT_FORMATS = ['jsonl', 'markdown'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportQuery = Omit<PortQuery, 'after' | 'limit'>;

const PAGE = 500;

/** The text of an export, piece by piece. */
export function* exportMemories(
  store: Store,
  query: ExportQuery,
  { format, now }: { format: ExportFormat; now: number },
): Generator<{ text: string; memories: number }> {
  if (format === 'markdown') {
    const memories = [...pagesOf(store, query)].flat();
    yield { text: formatMarkdown(memories, { version: VERSION, at: now }), memories: memories.length };
    return;
  }
  yield { text: `${formatHeader(VERSION, now)}\n`, memories: 0 };
  for (const page of pagesOf(store, query))
    yield { text: page.map((memory) => `${formatExportLine(memory)}\n`).join(''), memories: page.length };
}

function* pagesOf(store: Store, query: ExportQuery): Generator<PortableMemory[]> {
  for (let after = 0; ; ) {
    const { memories, last } = store.listPortableMemories({ ...query, after, limit: PAGE });
    if (last === null) return;
    yield memories;
    after = last;
  }
}
