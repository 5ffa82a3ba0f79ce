import type { SessionDigest } from '../store/store.ts';

const PROMPT_LENGTH = 160;
const CLOSING_LENGTH = 400;
const FILES_SHOWN = 6;

/** What a new session is told of those before it. Marked, so that it is never captured again. */
export function recentSessionsContext(
  sessions: SessionDigest[],
  { project, now, folder }: { project: string; now: number; folder?: string | undefined },
): string {
  const told = sessions.filter((session) => session.firstPrompt);
  if (told.length === 0) return '';
  return [
    '<cairn-context>',
    `Recent sessions in ${project}, newest first (from Cairn, this machine's memory of past work; check against the present state before relying on it):`,
    ...told.map((session) => describe(session, now, folder)),
    'More: run `cairn sessions` or `cairn show <number>` in a shell.',
    '</cairn-context>',
  ].join('\n');
}

function describe(session: SessionDigest, now: number, folder: string | undefined): string {
  const lines = [`\n[${session.id}] ${when(session.lastSeen, now)}${where(session)}`];
  if (session.firstPrompt) lines.push(`Asked: ${shorten(session.firstPrompt, PROMPT_LENGTH)}`);
  if (session.lastPrompt && session.lastPrompt !== session.firstPrompt)
    lines.push(`Asked last: ${shorten(session.lastPrompt, PROMPT_LENGTH)}`);
  if (session.changedFiles.length) lines.push(`Changed: ${fileList(session.changedFiles, folder)}`);
  if (session.closingWords) lines.push(`Ended with: ${shorten(session.closingWords, CLOSING_LENGTH)}`);
  return lines.join('\n');
}

function where({ branch, worktree, endedAt }: SessionDigest): string {
  const parts = [branch && `branch ${branch}`, worktree && 'in a worktree', endedAt === null && 'not closed'];
  const said = parts.filter(Boolean).join(', ');
  return said && ` (${said})`;
}

function fileList(files: string[], folder: string | undefined): string {
  const shown = files.slice(0, FILES_SHOWN).map((file) => relativeTo(file, folder));
  const more = files.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function relativeTo(file: string, folder: string | undefined): string {
  return folder && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

export function when(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((now - at) / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${new Date(at).toISOString().slice(0, 10)}`;
}

/** On one line, cut at a word where it is too long. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const atWord = cut.lastIndexOf(' ');
  return `${(atWord > length / 2 ? cut.slice(0, atWord) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}
