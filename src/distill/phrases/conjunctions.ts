import type { Phrases } from './phrases.ts';

/** What may come before the first words of a sentence or clause that tell something. */
export const CONJUNCTIONS: Phrases = {
  en: 'and|but',
  de: 'und|aber',
  fr: 'et|mais',
  es: 'y|pero',
  pt: 'e|mas',
  ru: 'и|но|а',
};
