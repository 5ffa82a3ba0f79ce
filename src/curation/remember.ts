import { redactValue } from '../capture/redact/redact-value.ts';
import { toStoredPlace } from '../capture/stored-place.ts';
import { openCheckout } from '../distill/checkout-files.ts';
import type { ObservationType } from '../model/memory.ts';
import { splitPieces } from '../model/wording.ts';
import { headCommit } from '../platform/git/checkout.ts';
import type { NewNote } from '../store/types/curation.ts';
import { cleanText } from './clean-text.ts';
import type { CurationOptions } from './options.ts';
import { refreshNotesOf } from './refresh-notes.ts';
import { findReplaceProblem } from './replace.ts';

const LONGEST_TITLE = 120;

export interface NoteRequest {
  text: string;
  /** The reason for it, if it is not in the text. */
  why?: string;
  /** The current folder; files are relative to it. */
  folder: string;
  saidBy: 'person' | 'agent';
  type?: ObservationType;
  files?: string[];
  /** Additional search terms. */
  aliases?: string[];
  isGlobal?: boolean;
  isPinned?: boolean;
  /** Memories that the note is given in place of, from now on. */
  replaces?: number[];
  agentSession?: string;
}

export type RememberResult = { id: number; isNew: boolean } | { problem: string };

/** Adds a note. The same text again strengthens the existing note. */
export function remember(options: CurationOptions, request: NoteRequest): RememberResult {
  const { text, why = '', folder, saidBy, type = null, aliases = [], replaces = [], agentSession } = request;
  const clean = cleanText(options, text);
  const reason = cleanText(options, why);
  if (clean === '')
    return { problem: text.trim() === '' ? 'There is nothing to remember.' : 'The whole text is private.' };
  const scope = request.isGlobal ? 'global' : 'project';
  const place = toStoredPlace(folder);
  const projectId = options.store.findProject(place)?.id ?? null;
  const problem = findReplaceProblem(options, replaces, { scope, projectId });
  if (problem !== null) return { problem };
  const { title, narrative: rest } = splitTitle(clean);
  const narrative = [rest, reason && `Why: ${reason}`].filter(Boolean).join('\n');
  // Redacted before lookup, because found names become part of the note.
  const files = redactValue(request.files ?? []);
  const ground = openCheckout({ folder, lastAt: options.now() });
  const about = ground.placed({ title, narrative, facts: [], filesRead: files, filesModified: [] });
  const commit = headCommit(folder);
  const note: NewNote = {
    type,
    title,
    narrative,
    aliases: cleanWords(options, aliases),
    files: about.filesRead,
    pins: ground.pinsOf(about),
    scope,
    saidBy,
    isPinned: request.isPinned ?? false,
    ...(replaces.length > 0 && { replaces }),
    place,
    ...(commit && { commit }),
    ...(agentSession && { agentSession }),
  };
  const added = options.store.addNote(redactValue(note), options.now());
  if (replaces.length > 0) refreshNotesOf([added.id, ...replaces], options);
  return added;
}

export function cleanWords(options: Pick<CurationOptions, 'settings'>, words: string[]): string[] {
  return [...new Set(words.map((word) => cleanText(options, word)).filter((word) => word !== ''))];
}

/** The first sentence is the title; if it is too long for one, the whole text is the narrative. */
export function splitTitle(text: string): { title: string; narrative: string } {
  const [first = text, ...rest] = splitPieces(text);
  const title = first
    .trim()
    .replace(/^#+\s+/, '')
    .replace(/(?<!\.)\.$/, '');
  if (title.length <= LONGEST_TITLE) return { title, narrative: rest.join('').trim() };
  const cut = title.slice(0, LONGEST_TITLE - 1).replace(/[\ud800-\udbff]$/, '');
  const atWord = cut.lastIndexOf(' ');
  return { title: `${atWord > LONGEST_TITLE / 2 ? cut.slice(0, atWord) : cut}…`, narrative: text };
}
