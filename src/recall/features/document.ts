import { pathToken } from '../../indexing/tokenise.ts';
import type { SearchDoc } from '../../store/types/search.ts';
import type { Span } from '../calendar.ts';
import type { Question } from '../parse-question.ts';
import type { RecallRequest } from '../request.ts';
import { FEATURE_INDEX, type Features } from './list.ts';

const DAY = 86_400_000;
const RECENT_DAYS = 30;
/** Types that stay true, unlike a record of changes. */
const LASTING = new Set<string | null>(['decision', 'preference', 'gotcha', 'how-it-works']);

/** Features of a document and its relation to the place and time of the question. */
export function documentFeatures(values: Features, { parsed, request }: Question, doc: SearchDoc): void {
  const { branch, files, now, projectId } = request;
  values[FEATURE_INDEX.recent] = Math.exp(-Math.max(now - doc.at, 0) / (RECENT_DAYS * DAY));
  if (parsed.span) values[FEATURE_INDEX.day] = measureCloseness(doc.at, parsed.span);
  if (isOnThisBranch(request, doc)) values[FEATURE_INDEX.branch] = 1;
  const isOfThisProject = doc.projectId === projectId;
  const hasOtherBranch = branch !== undefined && doc.branch !== null && doc.branch !== branch;
  if (isOfThisProject && hasOtherBranch && doc.mergedAt === null) values[FEATURE_INDEX.otherBranch] = 1;
  if (files?.some((file) => doc.header.includes(` ${pathToken(file)} `))) values[FEATURE_INDEX.file] = 1;
  if (doc.pinnedAt !== null) values[FEATURE_INDEX.pinned] = 1;
  if (doc.supersededBy !== null) values[FEATURE_INDEX.superseded] = 1;
  if (projectId !== null && doc.projectId !== projectId && !doc.isGlobal) values[FEATURE_INDEX.elsewhere] = 1;
  if (doc.kind !== 'observation') values[FEATURE_INDEX[doc.kind]] = 1;
  if (LASTING.has(doc.type)) values[FEATURE_INDEX.lasting] = 1;
}

/** Branches of other projects often have the same name. */
export function isOnThisBranch({ branch, projectId }: RecallRequest, doc: SearchDoc): boolean {
  return branch !== undefined && doc.branch === branch && doc.projectId === projectId;
}

/** 1 inside the span, less in the days around it: events are often recorded later. */
export function measureCloseness(at: number, { from, to }: Span): number {
  const away = at < from ? from - at : Math.max(at - to, 0);
  return Math.exp(-away / (3 * DAY));
}
