import { titled } from '../curation/remember.ts';
import type { ObservationType } from '../model/memory.ts';

/** One thing that an agent wrote down in its own memory files. */
export interface MdNote {
  title: string;
  /** Under which headings it stands. */
  subtitle: string;
  narrative: string;
  type: ObservationType | null;
}

/**
 * A file with front matter is one note. In others each bullet is one, with all that is indented below it, and
 * what else a section says is another. A bullet that only points to a file beside it is none.
 */
export function notesIn(text: string, siblings: string[]): MdNote[] {
  const { front, body } = frontMatterOf(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  if (front) return wholeNote(front, body);
  return blocksIn(body).flatMap((block) => noteOf(block, siblings));
}

export function hasFrontMatter(text: string): boolean {
  return /^\uFEFF?---\r?\n/.test(text);
}

function frontMatterOf(text: string): { front: Map<string, string> | null; body: string } {
  const found = /^---\n(.*?)\n---(?:\n|$)/s.exec(text);
  if (!found) return { front: null, body: text };
  const pairs = [...(found[1] ?? '').matchAll(/^\s*([\w-]+):[ \t]*(.*)$/gm)];
  const front = new Map(
    pairs.map(([, key = '', value = '']) => [key, value.trim().replace(/^(["'])(.*)\1$/, '$2')]),
  );
  return { front, body: text.slice(found[0].length) };
}

function wholeNote(front: Map<string, string>, body: string): MdNote[] {
  const narrative = body.trim();
  const title = front.get('description') || front.get('name') || titled(narrative).title;
  if (title === '') return [];
  const kind = front.get('type') ?? '';
  const type = kind === 'feedback' || kind === 'user' ? 'preference' : typeFor(front.get('name') ?? '');
  return [{ title: plain(title), subtitle: '', narrative, type }];
}

interface Block {
  isBullet: boolean;
  headings: string[];
  /** The words before a list that say what it lists. */
  lead: string;
  text: string;
}

const BULLET = /^(?:[-*+]|\d{1,3}[.)])\s+/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;

function blocksIn(body: string): Block[] {
  const blocks: Block[] = [];
  const headings: string[] = [];
  let lead = '';
  let current: { isBullet: boolean; lines: string[] } | null = null;
  let fence = '';

  const flush = () => {
    const text = current?.lines.join('\n').trim() ?? '';
    if (current && text !== '')
      blocks.push({ isBullet: current.isBullet, headings: headings.filter(Boolean), lead, text });
    current = null;
  };
  const say = (line: string) => {
    current ??= { isBullet: false, lines: [] };
    current.lines.push(line);
  };

  for (const line of body.split('\n')) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? '';
    if (fence !== '' || mark !== '') {
      if (fence === '' && current?.isBullet && !/^\s/.test(line)) flush();
      if (fence === '') fence = mark;
      else if (mark === fence) fence = '';
      say(line);
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      flush();
      lead = '';
      const level = (heading[1] ?? '').length;
      headings.splice(
        level - 1,
        headings.length,
        ...Array(Math.max(0, level - 1 - headings.length)).fill(''),
      );
      headings[level - 1] = plain(heading[2] ?? '');
    } else if (BULLET.test(line)) {
      if (current && !current.isBullet && isLead(current.lines)) {
        lead = plain(current.lines.join(' ').trim().replace(/:$/, ''));
        current = null;
      }
      flush();
      current = { isBullet: true, lines: [line.replace(BULLET, '')] };
    } else if (
      line.trim() !== '' &&
      current?.isBullet &&
      !/^\s/.test(line) &&
      current.lines.at(-1)?.trim() === ''
    ) {
      // A blank line, then words at the margin: the list is over.
      flush();
      lead = '';
      say(line);
    } else say(line.replace(/^ {1,4}/, ''));
  }
  flush();
  return blocks;
}

function isLead(lines: string[]): boolean {
  const said = lines.filter((line) => line.trim() !== '');
  return said.length === 1 && said[0]?.trimEnd().endsWith(':') === true;
}

function noteOf({ isBullet, headings, lead, text }: Block, siblings: string[]): MdNote[] {
  const pointsTo = /^\[[^\]]*\]\(([^)#]+)/.exec(text)?.[1]?.replace(/^\.\//, '');
  if (isBullet && pointsTo !== undefined && siblings.includes(pointsTo.replaceAll('%20', ' '))) return [];
  const under = [...headings.filter((heading, level) => level > 0 || !/\bmemory\b/i.test(heading)), lead];
  const path = under.filter(Boolean);
  const type = typeFor(path.join(' '));
  const own = titled(text);
  if (isBullet)
    return [{ title: plain(own.title), subtitle: path.join(' › '), narrative: own.narrative, type }];
  const heading = path.at(-1);
  if (heading === undefined)
    return [{ title: plain(own.title), subtitle: '', narrative: own.narrative, type }];
  return [{ title: heading, subtitle: path.slice(0, -1).join(' › '), narrative: text, type }];
}

function typeFor(words: string): ObservationType | null {
  if (/preferenc|conventions?\b|style\b/i.test(words)) return 'preference';
  if (/gotcha|pitfall|caveat|watch out/i.test(words)) return 'gotcha';
  if (/decision|decided/i.test(words)) return 'decision';
  if (/architecture|how .* works|overview/i.test(words)) return 'how-it-works';
  return null;
}

function plain(text: string): string {
  return text.replace(/\*\*|__/g, '').trim();
}
