import { showControls } from '../platform/control-characters.ts';
import type { PortableMemory } from '../store/types/port.ts';

/** A readable export: all memories by project and day. */
export function formatMarkdown(
  memories: PortableMemory[],
  { version, at }: { version: string; at: number },
): string {
  const projects = grouped(memories, ({ project }) => project?.name ?? '');
  const frontMatter = [
    '---',
    'cairn_export: markdown',
    `version: ${version}`,
    `at: ${new Date(at).toISOString()}`,
    `memories: ${memories.length}`,
    '---',
  ].join('\n');
  const sections = [...projects]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, own]) => [`# ${oneLine(name) || 'All projects'}`, ...daysOf(own)].join('\n\n'));
  return showControls(`${[frontMatter, ...sections].join('\n\n')}\n`);
}

function daysOf(memories: PortableMemory[]): string[] {
  const inOrder = memories.toSorted((a, b) => a.at - b.at);
  const days = grouped(inOrder, ({ at }) => dayOf(at));
  return [...days].flatMap(([day, own]) => [`## ${day}`, ...own.map(memoryText)]);
}

function memoryText(memory: PortableMemory): string {
  const { title, subtitle, narrative, facts, parts } = memory;
  const sections = [
    `### ${oneLine(title)}`,
    `*${formatMetadata(memory).join(' · ')}*`,
    subtitle && `**${oneLine(subtitle)}**`,
    withoutHeadings(narrative),
    facts.map(bullet).join('\n'),
    parts &&
      [
        partText('Request', parts.request),
        partText('Investigated', parts.investigated),
        partText('Learned', parts.learned),
        partText('Completed', parts.completed),
        partText('Next steps', parts.nextSteps),
        partText('Notes', parts.notes),
      ]
        .filter(Boolean)
        .join('\n\n'),
    formatList(
      'Files',
      memory.files.map(({ path, how }) => `\`${path}\`${how === 'write' ? ' (changed)' : ''}`),
    ),
    formatList('Concepts', memory.concepts),
    formatList('Also known as', memory.aliases),
  ];
  return sections.filter(Boolean).join('\n\n');
}

function formatMetadata({
  kind,
  type,
  at,
  pinnedAt,
  supersededBy,
  scope,
  branch,
  commit,
  session,
}: PortableMemory) {
  return [
    type ?? kind,
    timeOf(at),
    ...(scope === 'global' ? ['applies in every project'] : []),
    ...(pinnedAt === null ? [] : ['pinned']),
    ...(supersededBy === null ? [] : ['superseded']),
    ...(branch === null ? [] : [`branch ${branch}`]),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(session === null ? [] : [`${session.agent} session ${session.id}`]),
  ];
}

function partText(name: string, text: string): string {
  return text && `**${name}:** ${withoutHeadings(text)}`;
}

function formatList(name: string, words: string[]): string {
  return words.length === 0 ? '' : `${name}: ${words.join(', ')}`;
}

/** Indents further lines, which keeps them part of the bullet. */
function bullet(fact: string): string {
  return `- ${fact.replaceAll('\n', '\n  ')}`;
}

/** Escapes headings inside a text, which would look like the next memory. */
function withoutHeadings(text: string): string {
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    return isCode ? line : line.replace(/^(?=#{1,6} )/, '\\');
  });
  return lines.join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

function dayOf(at: number): string {
  const day = new Date(at);
  return [day.getFullYear(), twoDigits(day.getMonth() + 1), twoDigits(day.getDate())].join('-');
}

function timeOf(at: number): string {
  const time = new Date(at);
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function grouped<T>(list: T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(by(item));
    if (group) group.push(item);
    else groups.set(by(item), [item]);
  }
  return groups;
}
