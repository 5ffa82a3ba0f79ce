import type { SessionDigest } from '../store/store.ts';
import { shorten, when } from './words.ts';

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
    'More: run `cairn sessions` or `cairn show s<number>` in a shell.',
    '</cairn-context>',
  ].join('\n');
}

function describe(session: SessionDigest, now: number, folder: string | undefined): string {
  const lines = [`\n[s${session.id}] ${when(session.lastSeen, now)}${where(session)}`];
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
