import { DATA_SENTENCE, FRAME_CLOSING, FRAME_OPENING, type Framed } from '../model/framed.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import { neutralize } from './neutralize.ts';

/** For computing the cost of a frame. */
export const EMPTY_FRAME = `${FRAME_OPENING}\n${DATA_SENTENCE}\n${FRAME_CLOSING}`;

export const NO_TEXT = '' as Framed;

/** Frames text that contains stored text. The tags keep it from being captured again. */
export function frame(text: string): Framed {
  return `${FRAME_OPENING}\n${DATA_SENTENCE}\n${neutralize(text)}\n${FRAME_CLOSING}` as Framed;
}

/** A message of Cairn that quotes a name or two, such as an error or a warning. */
export function frameNotice(text: string): Framed {
  return `${FRAME_OPENING}\n${neutralize(text)}\n${FRAME_CLOSING}` as Framed;
}

/** Puts instructions before the frame: inside, they would count as data. */
export function prependInstruction(instruction: string, framed: Framed): Framed {
  return `${instruction}\n${framed}` as Framed;
}

/** A note in a file that agents load when they enter a folder. `comment` is for people and contains no stored text. */
export function frameNotes({
  comment,
  intro,
  rows,
}: {
  comment: string;
  intro: string;
  rows: string[];
}): Framed {
  const body = neutralize([`${DATA_SENTENCE} ${intro}`, ...rows].join('\n'));
  return `<cairn-notes>\n${comment}\n\n${body}\n</cairn-notes>` as Framed;
}

/** Input for a model that distils, whose instructions mention the tag. */
export function frameMaterial(tag: 'turn' | 'answer', text: string): Framed {
  return `<${tag}>\n${neutralize(text, ['turn', 'answer'])}\n</${tag}>` as Framed;
}

/** Neutralises structured content, which some clients show to the model instead of the text. */
export function frameStructure(structure: JsonObject): JsonObject {
  return { about: DATA_SENTENCE, ...neutralizeObject(structure) };
}

function neutralizeObject(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [neutralize(key), neutralizeJson(value)]),
  );
}

function neutralizeJson(value: Json): Json {
  if (typeof value === 'string') return neutralize(value);
  if (Array.isArray(value)) return value.map(neutralizeJson);
  return isObject(value) ? neutralizeObject(value) : value;
}
