import { readPromptWords } from '../prompt-words.ts';
import { isEveryday } from './word-weight.ts';

/** More are looked up together: each costs a hook some milliseconds. */
const MOST_TOPICS = 3;
/** A sentence end, a line, or a second question in the same sentence. */
const TOPIC_END =
  /(?<=[.!?;][)"']?)\s+|(?<=[。！？；])|\n+|,?\s+(?:and|und|et|y|e)\s+(?=(?:how|why|what|where|when|which|who|can|may|should|do|does|is|wie|warum|was|wo|wann|darf|kann|soll|comment|pourquoi|où|quand|cómo|por qué|dónde|cuándo|como|onde|quando)\b)/i;

/** What every such end has: most prompts have none, and the pattern above takes a hook long to compile. */
const MAY_END = /[.!?;][)"']?\s+\S|[。！？；\n]\s*\S|\s(?:and|und|et|y|e)\s/i;

/**
 * The parts of a prompt that are about something of their own, to be looked up one by one: together the words of the
 * first would drown the second. None where the prompt is about one thing.
 */
export function splitTopics(prompt: string): string[] {
  if (!MAY_END.test(prompt)) return [];
  const topics = prompt.split(TOPIC_END).filter((part) => isAboutSomething(part));
  return topics.length > 1 && topics.length <= MOST_TOPICS ? topics : [];
}

function isAboutSomething(part: string): boolean {
  return readPromptWords(part).some((word) => !isEveryday(word));
}
