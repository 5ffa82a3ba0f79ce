const MOST_STEPS = 40;
const LONGEST_STEP = 200;
const LONGEST_PLAN = 200_000;

/** Headings of sections that contain steps. */
const STEPS_HEADING =
  /\b(?:steps?|tasks?|to-?dos?|implementation|plan|changes|approach|phases?|milestones?|schritte|aufgaben|umsetzung|vorgehen|étapes|pasos)\b|步骤|手順|計画|计划/i;
/** Headings of sections that contain no steps. */
const OTHER_HEADING =
  /\b(?:context|background|goals?|overview|summary|questions?|risks?|notes?|non-goals|out of scope|files|verification|references|alternatives|why)\b/i;

export interface Step {
  text: string;
  /** Whether the plan itself ticks it off. */
  isDone: boolean;
}

interface Item extends Step {
  kind: 'numbered' | 'checkbox' | 'bullet';
  section: number;
}

export function stepsOf(plan: string): string[] {
  return readSteps(plan).map(({ text }) => text);
}

/** The steps of a plan in Markdown; empty if none are recognised. */
export function readSteps(plan: string): Step[] {
  const { items, headings } = read(plan.slice(0, LONGEST_PLAN));
  const chosen =
    longestList(items, 'numbered', headings) ??
    nonEmpty(items.filter(({ kind }) => kind === 'checkbox')) ??
    nonEmpty(
      items.filter(({ kind, section }) => kind === 'bullet' && STEPS_HEADING.test(headings[section] ?? '')),
    );
  return withoutDoubles(chosen ?? stepsInHeadings(headings)).slice(0, MOST_STEPS);
}

function withoutDoubles(steps: Step[]): Step[] {
  const byText = new Map(steps.map(({ text, isDone }) => [text, { text, isDone }]));
  return [...byText.values()];
}

/** Of several numbered sections, the one whose heading looks like steps, else the longest. */
function longestList(items: Item[], kind: Item['kind'], headings: string[]): Item[] | undefined {
  const bySection = new Map<number, Item[]>();
  for (const item of items)
    if (item.kind === kind) bySection.set(item.section, [...(bySection.get(item.section) ?? []), item]);
  const lists = [...bySection].map(([section, list]) => ({ heading: headings[section] ?? '', list }));
  const named = lists.filter(({ heading }) => STEPS_HEADING.test(heading) && !OTHER_HEADING.test(heading));
  const others = lists.filter(({ heading }) => !OTHER_HEADING.test(heading));
  const of = named.length > 0 ? named : others.length > 0 ? others : lists;
  // A plan in phases numbers the steps of each phase from 1.
  if (named.length > 1) return named.flatMap(({ list }) => list);
  return of.map(({ list }) => list).sort((a, b) => b.length - a.length)[0];
}

/** Steps as headings: `## Step 1: …`, `### Phase 2 — …`. */
function stepsInHeadings(headings: string[]): Step[] {
  const steps = headings.flatMap((heading) => {
    const [, text] =
      /^(?:(?:step|phase|task|part|schritt)\s+\d{1,2}|\d{1,2})\s*[:.)—–-]\s*(.+)$/i.exec(heading) ?? [];
    return text ? [{ text: clean(text), isDone: false }] : [];
  });
  return steps.length > 1 ? steps : [];
}

/** Reads top-level items; nested text belongs to its item. */
function read(plan: string): { items: Item[]; headings: string[] } {
  const items: Item[] = [];
  const headings = [''];
  let fence: string | null = null;
  let indent = Number.POSITIVE_INFINITY;
  for (const line of plan.split(/\r?\n/)) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? /^\*\*([^*]+?):?\*\*:?\s*$/.exec(line) ?? [];
    if (heading !== undefined) {
      headings.push(clean(heading));
      indent = Number.POSITIVE_INFINITY;
      continue;
    }
    const item = itemIn(line);
    if (!item) continue;
    // The first item of a list sets its indentation.
    indent = Math.min(indent, item.indent);
    if (item.indent > indent || item.text === '') continue;
    items.push({ kind: item.kind, text: item.text, isDone: item.isDone, section: headings.length - 1 });
  }
  return { items, headings };
}

function itemIn(line: string): (Omit<Item, 'section'> & { indent: number }) | null {
  const [, space, mark, rest] = /^([ \t]{0,40})(\d{1,3}[.)]|[-*+])[ \t]+(\S.*)$/.exec(line) ?? [];
  if (space === undefined || mark === undefined || rest === undefined) return null;
  const [, box, behind] = /^\[([ xX-])\]\s+(.*)$/.exec(rest) ?? [];
  const isNumbered = /\d/.test(mark);
  return {
    indent: space.replaceAll('\t', '    ').length,
    kind: isNumbered ? 'numbered' : box === undefined ? 'bullet' : 'checkbox',
    text: clean(behind ?? rest),
    isDone: box === 'x' || box === 'X',
  };
}

/** Plain text on one line, shortened. */
function clean(text: string): string {
  const plain = text
    .slice(0, 10 * LONGEST_STEP)
    .replace(/\*\*|__|`/g, '')
    .replace(/\[([^\]]{1,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[\s:]+$/, '')
    .trim();
  const characters = [...plain];
  return characters.length <= LONGEST_STEP ? plain : `${characters.slice(0, LONGEST_STEP - 1).join('')}…`;
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
