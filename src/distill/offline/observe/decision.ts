import { isObject } from '../../../model/json.ts';
import { findConcepts } from '../concepts.ts';
import type { Material } from '../material.ts';
import { cue } from '../text/cue.ts';
import { contrast, reason } from '../text/cues.ts';
import { countWords, dropOpening, type Statement } from '../text/roles.ts';
import { firstSentences, shorten } from '../text/shorten.ts';
import { headingFrom, headingOfStatement } from '../text/title.ts';
import { createObservation, LONGEST_NARRATIVE, type Observer } from './observer.ts';

const MOST = 2;

/** A choice with its reason: the agent's, the person's, or an answer the person gave. */
export const decision: Observer = (material) => {
  if (material.work === 'dead-end') return [];
  return [...answers(material), ...picks(material), ...ofPerson(material), ...ofAgent(material)].slice(
    0,
    MOST + 1,
  );
};

function ofAgent(material: Material) {
  const blocks = new Map<number, Statement[]>();
  for (const statement of material.said) {
    if (statement.role !== 'decision') continue;
    blocks.set(statement.block, [...(blocks.get(statement.block) ?? []), statement]);
  }
  return [...blocks.values()]
    .filter((block) => block.some(({ text }) => reason.test(text) || contrast.test(text)))
    .slice(0, MOST)
    .flatMap((block) => {
      const [first] = block;
      if (!first || countWords(first.text) < 5) return [];
      return [
        createObservation({
          type: 'decision',
          title: headingOfStatement(first),
          narrative: firstSentences(
            block.map(({ text }) => text),
            LONGEST_NARRATIVE,
          ),
          facts: [],
          concepts: findConcepts({ edits: [], packages: [] }, block),
          filesRead: [],
          filesModified: material.filesModified.slice(0, 10),
          events: [],
        }),
      ];
    });
}

const personDecides = cue(
  "let'?s (go with|use|take|stick|keep)|we('ll| will)? (decided|decide|go with|agreed)|we've decided|i('ve| have)? decided|i'd rather|go with (option|the|a|an)|wir (haben uns|nehmen)|lass uns|on (va|prend) |nous avons décidé|vamos a usar|hemos decidido",
  'にしましょう|に決めました|ことにしました|我们决定|就用',
);

/** “We go with SQLite. Nobody wants to run a server.” Without a reason it is only an instruction. */
function ofPerson(material: Material) {
  const { request, filesModified } = material;
  const { own } = request;
  const changed = changesMind(own);
  if (changed !== undefined) return [byPerson(changed, own, filesModified)];
  const at = own.findIndex((text) => personDecides.test(text) && !/[?？]$/.test(text));
  const first = own[at];
  if (first === undefined) return [];
  const said = own.slice(at, at + 3);
  if (!said.some((text) => reason.test(text) || contrast.test(text)) && !lengthensBeyond(said)) return [];
  return [byPerson(headingFrom(dropOpening(first)), said, filesModified)];
}

function byPerson(title: string, said: string[], filesModified: string[]) {
  return createObservation({
    type: 'decision',
    title,
    subtitle: 'Decided by the person',
    narrative: firstSentences(said, LONGEST_NARRATIVE),
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified,
    events: [],
  });
}

const unwanted =
  /\b(?:i|we) (?:don't|do not|no longer|wouldn't) (?:want|like|need) (?:to use |to have |an? |the )?([^,;]{2,40}?)(?=[,;]|\.?$|\.\s| (?:here|there|after all|any ?more|because|since|for)\b)/i;
const wanted = /\b((?:use|take|make it|go with|switch to|do) [^,;]{2,60}?)(?: instead)?(?=[;,]|\.?$|\.\s)/i;

/** “I don't want sync.Once, it cannot be reset. Use a mutex instead.” Without a reason it is only an instruction. */
function changesMind(own: string[]): string | undefined {
  const not = own.map((text) => unwanted.exec(text)?.[1]).find((found) => found !== undefined);
  const instead = own.map((text) => wanted.exec(text)?.[1]).find((found) => found !== undefined);
  if (not === undefined || instead === undefined) return undefined;
  const explained = own.some(
    (text) => reason.test(text) || /\b(?:need|can't|cannot|has to|have to|must)\b/i.test(text),
  );
  return explained ? headingFrom(`${instead} instead of ${not}`) : undefined;
}

/** What the person picked of the options the agent had laid out. */
function picks({ request: { picked, own }, filesModified }: Material) {
  if (picked === undefined) return [];
  return [
    createObservation({
      type: 'decision',
      title: headingFrom(picked.text),
      subtitle: shorten(`Chosen by the person: ${own.join(' ')}`, 140),
      narrative: firstSentences([`${picked.mark}: ${picked.text}.`, ...picked.advice], LONGEST_NARRATIVE),
      facts: [],
      concepts: [],
      filesRead: [],
      filesModified,
      events: [],
    }),
  ];
}

/** A sentence that states something after the choice is its reason. */
function lengthensBeyond([, next]: string[]): boolean {
  return (
    next !== undefined &&
    countWords(next) >= 5 &&
    /\b(?:is|are|has|have|wants?|needs?|ist|sind|est|es)\b/i.test(next)
  );
}

/** What the person chose when the agent asked. */
function answers({ turn }: Material) {
  const asked = turn.calls.filter(({ tool, outcome }) => tool === 'AskUserQuestion' && outcome === 'success');
  return asked.slice(-2).flatMap(({ event, input, response }) => {
    const given =
      [response, input].map((each) => (isObject(each) ? each.answers : undefined)).find(isObject) ?? {};
    const pairs = Object.entries(given).flatMap(([question, answer]) =>
      typeof answer === 'string' && answer !== '' ? [{ question, answer }] : [],
    );
    const [first] = pairs;
    if (!first) return [];
    return [
      createObservation({
        type: 'decision',
        title: headingFrom(`${first.answer} (${first.question})`),
        subtitle: 'Chosen by the person',
        narrative: firstSentences(
          pairs.map(({ question, answer }) => `${question} ${answer}.`),
          600,
        ),
        facts: pairs.map(({ question, answer }) => `${question} → ${answer}`),
        concepts: [],
        filesRead: [],
        filesModified: [],
        events: [event],
      }),
    ];
  });
}
