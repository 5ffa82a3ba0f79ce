import { quoteStored, toOneLine } from '../framing/stored-lines.ts';
import { formatReference } from '../model/reference.ts';
import { shorten } from '../model/shorten.ts';
import type { NumberedPrompt } from '../store/types/history.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type { SessionDigest } from '../store/types/session.ts';
import { describeAuthor } from './colleagues.ts';
import { entryLine, type IndexEntry } from './present-entry.ts';
import { formatCount, formatDayAndTime } from './words.ts';

/** Longer prompts contain pasted files and logs. */
const LONGEST_PROMPT = 6_000;

/** `marks`: warnings, such as a changed file. */
export function formatMemory(memory: StoredMemory, marks: string[] = []): string {
  const { id, kind, type, title, subtitle, narrative, facts, concepts, filesModified, filesRead } = memory;
  return [
    `${formatReference({ what: 'memory', id })} ${type ?? kind}: ${toOneLine(title)}`,
    origin(memory),
    ...marks.map((mark) => `! ${toOneLine(mark)}`),
    quoted(subtitle),
    quoted(narrative),
    ...facts.map((fact) => `- ${indentLines(fact)}`),
    ...partsOf(memory).map(([name, text]) => `${name}: ${indentLines(text)}`),
    listed('files changed', filesModified),
    listed('files read', filesRead),
    listed('about', concepts),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export function formatPrompt(prompt: NumberedPrompt): string {
  const { id, at, text, project, branch, sessionId, isPrivate } = prompt;
  const header = [formatDayAndTime(at), project, branch && `branch ${branch}`, `session s${sessionId}`];
  const words = isPrivate ? '(private)' : quoted(text.slice(0, LONGEST_PROMPT));
  const cut = !isPrivate && text.length > LONGEST_PROMPT ? `\n… (${text.length} characters in all)` : '';
  return `p${id} prompt, ${toOneLine(header.filter(Boolean).join(' · '))}\n${words}${cut}`;
}

/** A session with its prompts and memories. */
export function formatSession(session: SessionDigest, entries: IndexEntry[]): string {
  const { id, agent, model, firstSeen, project, branch, prompts, closingWords, changedFiles } = session;
  const header = [formatDayAndTime(firstSeen), project, branch && `branch ${branch}`, agent, model];
  return [
    `s${id} session, ${toOneLine(header.filter(Boolean).join(' · '))}, ${formatCount(prompts, 'prompt')}`,
    listed('files changed', changedFiles),
    closingWords ? `ended with: ${shorten(closingWords, 600)}` : '',
    ...entries.map((entry) => entryLine(entry)),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function origin(memory: StoredMemory): string {
  const { at, project, branch, commit, sessionId, saidBy, strength, scope, author, pinnedAt } = memory;
  const parts = [
    formatDayAndTime(at),
    author !== null && describeAuthor(author),
    scope === 'global' ? 'every project' : project,
    branch && `branch ${branch}`,
    commit && `commit ${commit.slice(0, 10)}`,
    sessionId !== null && `session s${sessionId}`,
    saidBy !== 'distiller' && `said by ${saidBy}`,
    strength > 1 && `met ${strength} times`,
    pinnedAt !== null && 'pinned',
  ];
  return toOneLine(parts.filter(Boolean).join(' · '));
}

/** Returns no line for an empty text. */
function quoted(text: string): string {
  return text === '' ? '' : quoteStored(text);
}

/** Further lines are indented below the name or bullet. */
function indentLines(text: string): string {
  const lines = quoted(text);
  return lines.includes('\n') ? `\n${lines}` : lines;
}

function partsOf({ parts }: StoredMemory): [string, string][] {
  if (!parts) return [];
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  const named = { request, investigated, learned, completed, 'next steps': nextSteps, notes };
  return Object.entries(named).filter(([, text]) => text !== '');
}

function listed(name: string, values: string[]): string {
  return values.length === 0 ? '' : `${name}: ${values.map(toOneLine).join(', ')}`;
}
