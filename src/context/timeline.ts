import { readReference, sayReference } from '../model/reference.ts';
import { shorten } from '../model/shorten.ts';
import { parseDate } from '../recall/dates.ts';
import type { Moment, TimelineQuery } from '../store/history-store.ts';
import type { Store } from '../store/store.ts';

export interface TimelineRequest {
  /** An id (12, p34, s5) or a time (now, yesterday, 3d, 2026-11-10, 2026-11-10T14:00). */
  around: string;
  before: number;
  after: number;
  /** Null for every project. */
  projectId: number | null;
  now: number;
}

/** What happened around something that a person or an agent names. */
export function findTimeline(store: Store, request: TimelineRequest): Moment[] | { problem: string } {
  const query = queryFor(store, request);
  return 'problem' in query ? query : store.timeline(query);
}

function queryFor(store: Store, request: TimelineRequest): TimelineQuery | { problem: string } {
  const { around, before, after, projectId, now } = request;
  const reference = readReference(around);
  if (!reference) {
    const at = readTime(around, now);
    if (at !== null) return { projectId, around: { at }, before, after };
    return {
      problem: `"${shorten(around, 80)}" is neither an id (12, p34, s5) nor a time (2026-11-10, 2026-11-10T14:00, yesterday, 3d).`,
    };
  }
  const { what, id } = reference;
  const missing = { problem: `There is no ${what} ${sayReference(reference)}.` };
  if (what === 'session') {
    const [session] = store.findSessions(sayReference(reference));
    if (!session) return missing;
    const fromItsStart = { around: { at: session.firstSeen }, before: 0, after: before + after };
    return { projectId: null, sessionId: id, ...fromItsStart };
  }
  const found = what === 'memory' ? store.memory(id) : store.promptsById([id])[0];
  if (!found) return missing;
  // In its own project, wherever the question came from.
  const project = projectId === null ? null : (found.projectId ?? projectId);
  return { projectId: project, around: { what, id, at: found.at }, before, after };
}

/** In the person's own time zone; of a day or a month its first moment. */
function readTime(text: string, now: number): number | null {
  const word = text.trim();
  if (word.toLowerCase() === 'now') return now;
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d\S*)$/i.exec(word) ?? [];
  const exact = day === undefined ? Number.NaN : Date.parse(`${day}T${time}`);
  return Number.isNaN(exact) ? (parseDate(word, now)?.from ?? null) : exact;
}
