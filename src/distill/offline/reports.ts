import { classifySentences, type Statement } from './text/roles.ts';

const compaction = /Primary Request and Intent|Pending Tasks|All user messages/i;
/** “5. Problem Solving: ruled out the cache” */
const section = /^\s*\d+\.\s+([A-Z][^:\n]{3,60}):[ \t]*(.*)$/gm;
/** Sections that only repeat what the turn itself tells better. */
const repeats =
  /^(?:primary request|key technical|files and code|all user|user messages|current work|critical|task description|conversation)/i;

/** What subagents found and compactions noted, for a turn whose own end is not known. */
export function reportStatements(reports: string[]): Statement[] {
  return reports.slice(-6).flatMap((report) => {
    if (!compaction.test(report)) return classifySentences(report);
    const asHeadings = report.slice(0, 40_000).replace(section, '\n## $1\n$2');
    return classifySentences(asHeadings).filter(({ under }) => !repeats.test(under));
  });
}
