import {
  causeLabel,
  checkLabel,
  cureLabel,
  decisionLabel,
  gotchaLabel,
  nextLabel,
  noteLabel,
} from '../../phrases/labels.ts';
import { stripMarkup } from './plain.ts';

/** What a heading or the words before a colon say about the sentences under them. */
export type LabelRole = 'next' | 'note' | 'gotcha' | 'decision' | 'cause' | 'cure' | 'check';

const roles: [LabelRole, RegExp][] = [
  ['next', nextLabel],
  ['decision', decisionLabel],
  ['gotcha', gotchaLabel],
  ['note', noteLabel],
  ['cause', causeLabel],
  ['check', checkLabel],
  ['cure', cureLabel],
];

export function roleOfLabel(label: string): LabelRole | undefined {
  const words = label.trim();
  if (words === '') return undefined;
  return roles.find(([, pattern]) => (pattern.exec(words)?.index ?? words.length) <= leadIn(words))?.[0];
}

/** Where what a label is about begins at the latest: after an article and an adjective. */
function leadIn(words: string): number {
  const spaces = [...words.matchAll(/\s+/g)];
  return spaces.length <= 2 ? words.length - 1 : (spaces[1]?.index ?? 0) + 1;
}

const boldLabel =
  /^\s*(?:\*\*|__)([^*_\n]{1,60}?)(?:[:：.]\s*(?:\*\*|__)|(?:\*\*|__)\s*(?:[:：]|[–—-]\s))\s*(.*)$/su;
const plainLabel = /^\s*([\p{L}][\p{L}\p{N}' -]{0,28}?)\s*[:：](?!\/\/|:)\s*(\S.*)$/su;

/** A label at the beginning of a paragraph, such as `**Cause:**`. One that only names its topic stays in the text. */
export function splitLabel(markdown: string): { label: string; rest: string } {
  const [, label, rest] = boldLabel.exec(markdown) ?? shortLabel(markdown) ?? [];
  if (label === undefined || rest === undefined) return { label: '', rest: markdown };
  const words = stripMarkup(label).toLowerCase();
  const saysRoleOnly =
    roleOfLabel(words) !== undefined && words.split(/\s+/).length <= 6 && rest.trim() !== '';
  return saysRoleOnly ? { label: words, rest } : { label: '', rest: markdown };
}

function shortLabel(markdown: string): RegExpExecArray | undefined {
  const found = plainLabel.exec(markdown);
  return found && roleOfLabel(found[1] ?? '') !== undefined ? found : undefined;
}

/** Whether a line by itself is a heading for what follows: “What's left:”. */
export function isLabelLine(line: string): boolean {
  if (line.length > 120) return false;
  const words = stripMarkup(line);
  return (
    /[:：]$/.test(words) && words.length <= 60 && words.split(/\s+/).length <= 8 && !/[.!?]\s/.test(words)
  );
}
