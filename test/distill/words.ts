import type { Words } from './session.ts';

/** Without regard to case. */
export function contains(text: string, words: string | RegExp): boolean {
  if (typeof words === 'string') return text.toLowerCase().includes(words.toLowerCase());
  const flags = new Set(`${words.flags.replace('g', '')}i`);
  return new RegExp(words.source, [...flags].join('')).test(text);
}

/** Those that the text does not contain, for people to read. */
export function absent(words: Words, text: string): string[] {
  return words.filter((each) => !contains(text, each)).map(String);
}
