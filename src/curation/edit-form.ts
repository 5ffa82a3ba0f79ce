import { OBSERVATION_TYPES, type ObservationType, type Summary } from '../model/memory.ts';
import type { MemoryChange } from '../store/types/curation.ts';
import type { StoredMemory } from '../store/types/memory.ts';

const HINT = `<!-- Change what you like, save and close. The title is the line with #; headings stay as they are. -->`;
const PARTS = {
  Request: 'request',
  Investigated: 'investigated',
  Learned: 'learned',
  Completed: 'completed',
  'Next steps': 'nextSteps',
  Notes: 'notes',
} as const;
const OWN_HEADINGS = ['Subtitle', 'Text', 'Facts'];

function headingsOf({ parts }: StoredMemory): string[] {
  return parts ? Object.keys(PARTS) : OWN_HEADINGS;
}

/** A memory as editable text. */
export function formatForm(memory: StoredMemory): string {
  const { title, type, scope, aliases, subtitle, narrative, facts, parts } = memory;
  const fields = [
    ...(parts ? [] : [`type: ${type ?? 'none'}`]),
    `scope: ${scope}`,
    `aliases: ${aliases.join(', ')}`,
  ];
  const plain = (text: string) => escapeHeadings(text, headingsOf(memory));
  const sections = parts
    ? Object.entries(PARTS).map(([heading, name]) => section(heading, plain(parts[name])))
    : [
        section('Subtitle', plain(subtitle)),
        section('Text', plain(narrative)),
        section('Facts', facts.map((fact) => `- ${fact.replace(/\n/g, '\n  ')}`).join('\n')),
      ];
  return `${[HINT, `# ${title}`, fields.join('\n'), ...sections].join('\n\n')}\n`;
}

function section(heading: string, text: string): string {
  return `## ${heading}\n\n${text}`.trimEnd();
}

/** A line of the text that looks like a heading of the form begins with a backslash there. */
function escapeHeadings(text: string, headings: string[]): string {
  return text.replace(new RegExp(`^(?=\\\\*## (?:${headings.join('|')})\\s*$)`, 'gm'), '\\');
}

function unescapeHeadings(text: string, headings: string[]): string {
  return text.replace(new RegExp(`^\\\\(?=\\\\*## (?:${headings.join('|')})\\s*$)`, 'gm'), '');
}

/** Parses the edited text. Lines that are not part of the form belong to the text around them. */
export function parseForm(form: string, memory: StoredMemory): MemoryChange | { problem: string } {
  const { head, sections } = split(form.replace(HINT, '').replace(/\r\n/g, '\n'), headingsOf(memory));
  const title = /^# (.*)$/m.exec(head)?.[1]?.trim();
  if (!title) return { problem: 'The title is missing: a line that begins with "# ".' };
  const fields = new Map(
    [...head.matchAll(/^(\w+):(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
  const type = fields.get('type') || 'none';
  if (!isType(type) && type !== 'none')
    return { problem: `There is no type ${type}. Types: none, ${OBSERVATION_TYPES.join(', ')}.` };
  const scope = fields.get('scope') || memory.scope;
  if (scope !== 'project' && scope !== 'global')
    return { problem: `The scope is project or global, not ${scope}.` };
  const aliases = (fields.get('aliases') ?? '').split(',').flatMap((word) => word.trim() || []);
  const change: MemoryChange = { title, scope, aliases };
  if (memory.parts) return { ...change, parts: partsIn(sections, memory.parts) };
  return {
    ...change,
    type: isType(type) ? type : null,
    subtitle: sections.get('Subtitle') ?? '',
    narrative: sections.get('Text') ?? '',
    facts: factsIn(sections.get('Facts') ?? ''),
  };
}

function split(form: string, headings: string[]): { head: string; sections: Map<string, string> } {
  const sections = new Map<string, string>();
  let head = '';
  let heading: string | null = null;
  for (const line of form.split('\n')) {
    const named = /^## (.+?)\s*$/.exec(line)?.[1];
    if (named && headings.includes(named) && !sections.has(named)) {
      heading = named;
      sections.set(heading, '');
    } else if (heading === null) head += `${line}\n`;
    else sections.set(heading, `${sections.get(heading)}${line}\n`);
  }
  const texts = [...sections].map(([name, text]) => [name, unescapeHeadings(text, headings).trim()] as const);
  return { head, sections: new Map(texts) };
}

/** One item per dash; indented lines belong to it. */
function factsIn(text: string): string[] {
  const facts: string[] = [];
  for (const line of text.split('\n')) {
    const item = /^\s{0,1}[-*] (.*)$/.exec(line)?.[1];
    if (item !== undefined || facts.length === 0) facts.push(item ?? line);
    else facts.push(`${facts.pop()}\n${line.trim()}`);
  }
  return facts.map((fact) => fact.trim()).filter((fact) => fact !== '');
}

function partsIn(sections: Map<string, string>, parts: Summary): Summary {
  const texts = Object.entries(PARTS).map(([heading, name]) => [name, sections.get(heading) ?? '']);
  return { ...parts, ...Object.fromEntries(texts) };
}

function isType(type: string): type is ObservationType {
  return (OBSERVATION_TYPES as readonly string[]).includes(type);
}
