import type { Turn } from '../turn.ts';
import { textField } from './calls/response.ts';
import type { Evidence } from './evidence.ts';
import { joinSentences, shorten } from './text/shorten.ts';

/** How many files are named one by one; more are counted by folder. */
const MOST_NAMED = 5;

/** What was looked at: files, searches, subagents, pages. */
export function describeInvestigation(turn: Turn, { filesRead, runs }: Evidence): string {
  const searches = [
    ...turn.calls
      .filter(({ does }) => does === 'search')
      .map(({ input }) => textField(input, 'pattern') ?? ''),
    ...runs.flatMap(({ steps }) => steps.map(({ text }) => searchedFor(text))),
  ].filter((words) => words !== '');
  const asked = turn.calls
    .filter(({ does }) => does === 'delegate')
    .map(({ input }) => textField(input, 'description') ?? '');
  const web = turn.calls
    .filter(({ does }) => does === 'web')
    .map(({ input }) => textField(input, 'url') ?? textField(input, 'query') ?? '');
  return joinSentences(
    [
      filesRead.length === 0 ? '' : `Read ${filesInWords(filesRead)}.`,
      searches.length === 0 ? '' : `Searched for ${listed(searches, 3)}.`,
      asked.length === 0 ? '' : `Asked a subagent: ${listed(asked, 3)}.`,
      web.length === 0 ? '' : `Looked up ${listed(web, 3)}.`,
    ].filter((words) => words !== ''),
  );
}

function searchedFor(step: string): string {
  const found =
    /^(?:grep|rg|ag|git grep)\s+(?:-\S+\s+)*(?:"([^"]{2,60})"|'([^']{2,60})'|([\w.]{2,40})(?=\s|$))/.exec(
      step,
    );
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

function filesInWords(paths: string[]): string {
  if (paths.length <= MOST_NAMED) return paths.join(', ');
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    const files = byFolder.get(folder) ?? [];
    files.push(path);
    byFolder.set(folder, files);
  }
  const parts = [...byFolder].map(([folder, files]) =>
    files.length <= 2
      ? files.join(', ')
      : `${files.length} files in ${folder === '.' ? 'the project folder' : folder}`,
  );
  return listed(parts, 8);
}

function listed(words: string[], most: number): string {
  const different = [...new Set(words.filter((each) => each !== ''))];
  const rest = different.length - most;
  const shown = different.slice(0, most).map((each) => shorten(each, 80));
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
