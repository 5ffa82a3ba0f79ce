import { formatReference, parseReference } from '../model/reference.ts';
import { shorten } from '../model/shorten.ts';
import type { Span } from '../recall/calendar.ts';
import { parseDate } from '../recall/dates.ts';
import type { Store } from '../store/store.ts';
import type { Moment, TimelineQuery } from '../store/types/history.ts';

export interface TimelineRequest {
  /** An id (12, p34, s5) or a time (now, yesterday, 3d, 2026-11-10, 2026-11-10T14:00). */
  around: string;
  /** A count. By default, for a day, a month or another span: everything in it. */
  before?: number | undefined;
  after?: number | undefined;
  projectId: number | null;
  now: number;
}

/** The events around a reference or a time. */
export function findTimeline(store: Store, request: TimelineRequest): Moment[] | { problem: string } {
  const { before, after, now, projectId } = request;
  const isCounted = before !== undefined || after !== undefined;
  const span = isCounted ? null : readSpan(request.around, now);
  if (span)
    return store
      .listMoments({ projectId, around: { at: span.from }, before: 0, after: MOST_OF_SPAN })
      .filter(({ at }) => at < span.to);
  const query = queryFor(store, { ...request, before: before ?? USUAL, after: after ?? USUAL });
  return 'problem' in query ? query : store.listMoments(query);
}

const USUAL = 10;
const MOST_OF_SPAN = 500;

/** Null for a reference and for a moment. */
function readSpan(around: string, now: number): Span | null {
  const isMoment = parseReference(around) !== null || /^\s*now\s*$|\d:\d\d/i.test(around);
  return isMoment ? null : parseDate(around.trim(), now);
}

function queryFor(
  store: Store,
  request: TimelineRequest & { before: number; after: number },
): TimelineQuery | { problem: string } {
  const { around, before, after, projectId, now } = request;
  const reference = parseReference(around);
  if (!reference) {
    const at = readTime(around, now);
    if (at !== null) return { projectId, around: { at }, before, after };
    return {
      problem: `"${shorten(around, 80)}" is neither an id (12, p34, s5) nor a time (2026-11-10, 2026-11-10T14:00, yesterday, 3d).`,
    };
  }
  const { what, id } = reference;
  const missing = { problem: `There is no ${what} ${formatReference(reference)}.` };
  if (what === 'session') {
    const [session] = store.findSessions(formatReference(reference));
    if (!session) return missing;
    const fromItsStart = { around: { at: session.firstSeen }, before: 0, after: before + after };
    return { projectId: null, sessionId: id, ...fromItsStart };
  }
  const found = what === 'memory' ? store.getMemory(id) : store.getPrompts([id])[0];
  if (!found) return missing;
  // In its own project, independent of the current folder.
  const project = projectId === null ? null : (found.projectId ?? projectId);
  return { projectId: project, around: { what, id, at: found.at }, before, after };
}

/** A time in local time; for a day or a month, its beginning. */
function readTime(text: string, now: number): number | null {
  const word = text.trim();
  if (word.toLowerCase() === 'now') return now;
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d\S*)$/i.exec(word) ?? [];
  const exact = day === undefined ? Number.NaN : Date.parse(`${day}T${time}`);
  return Number.isNaN(exact) ? (parseDate(word, now)?.from ?? null) : exact;
}
