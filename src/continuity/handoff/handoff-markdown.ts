import { frame } from '../../framing/frame.ts';
import { quoteLines, toOneLine } from '../../framing/stored-lines.ts';
import type { Framed } from '../../model/framed.ts';
import { type GitState, type Handoff, TASK_MARKS, type WorkItem } from '../../model/work.ts';

/** A handoff as a standalone document. */
export function formatHandoffDocument(
  handoff: Handoff,
  work: Pick<WorkItem, 'name' | 'title' | 'project'>,
): Framed {
  return frame(formatHandoff(handoff, work).trimEnd());
}

/** Built from the parts each time, so forgetting applies to it. The caller frames the result. */
export function formatHandoff(handoff: Handoff, work: Pick<WorkItem, 'name' | 'title' | 'project'>): string {
  const { number, at, parts, tasks, plan, git } = handoff;
  const sections: [string, string][] = [
    ['Goal', quoteLines(parts.goal)],
    ['State', quoteLines(parts.state)],
    ['Note', quoteLines(parts.note)],
    ['Next steps', numbered(parts.nextSteps)],
    ['Tasks', tasks.map(taskLine).join('\n')],
    ['Decisions', bullets(parts.decisions)],
    ['Dead ends', bullets(parts.deadEnds)],
    ['Open questions', bullets(parts.questions)],
    ['Files', bullets(parts.files.map(fileLine))],
    ['Git', git ? gitLines(git) : ''],
    [plan ? `Plan (version ${plan.version})` : '', plan ? quoted(plan.text) : ''],
  ];
  return [
    `# Handoff ${number} of ${toOneLine(work.name)}: ${toOneLine(work.title)}`,
    `${toOneLine(work.project)} · ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    ...sections
      .filter(([, text]) => text.trim() !== '')
      .map(([title, text]) => `## ${title}\n\n${text.trim()}`),
  ]
    .join('\n\n')
    .concat('\n');
}

function taskLine({ number, subject, state }: Handoff['tasks'][number]): string {
  return `- ${TASK_MARKS[state]} ${number}. ${toOneLine(subject)}`;
}

function fileLine({ path, what }: { path: string; what: string }): string {
  return what === '' ? toOneLine(path) : `${toOneLine(path)}: ${what}`;
}

function gitLines({ branch, head, dirty, moreDirty, ahead, behind }: GitState): string {
  const apart = [ahead ? `${ahead} ahead` : '', behind ? `${behind} behind` : ''].filter(Boolean).join(', ');
  const where = [
    branch ? `branch ${toOneLine(branch)}` : 'no branch',
    head && `at ${head.slice(0, 12)}`,
    apart,
  ]
    .filter(Boolean)
    .join(', ');
  if (dirty.length === 0) return bullets([where, 'nothing uncommitted']);
  return bullets([
    where,
    `uncommitted: ${dirty.map(toOneLine).join(', ')}${moreDirty > 0 ? ` and ${moreDirty} more` : ''}`,
  ]);
}

/** Quotes the plan, whose headings must not look like Cairn's. */
function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function bullets(lines: string[]): string {
  return lines.map((line) => `- ${indentText(line)}`).join('\n');
}

function numbered(lines: string[]): string {
  return lines.map((line, at) => `${at + 1}. ${indentText(line)}`).join('\n');
}

function indentText(text: string): string {
  return quoteLines(text).replace(/\n+/g, '\n  ');
}
