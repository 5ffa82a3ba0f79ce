import { isObject } from '../../../model/json.ts';
import { completeCorrections } from '../../corrections/complete-correction.ts';
import type { Turn } from '../../turn.ts';
import type { Commit } from '../calls/commits.ts';
import { textField } from '../calls/response.ts';
import { repeatedSection } from '../compaction.ts';
import { isPick, type Option } from '../options.ts';
import { ownSentences } from '../request.ts';
import { readSentences, type Sentence } from '../text/sentences.ts';
import type { Candidate, SentenceSource } from './rated-sentence.ts';

const MOST_REPORTS = 12;

/** Every sentence of a turn, in the order in which it was said. */
export function collectCandidates(turn: Turn, commits: Commit[], picked?: Option): Candidate[] {
  let message = 0;
  const read = (from: SentenceSource, text: string, place: number, sentences = readSentences(text)) => {
    message++;
    return withPlaces(sentences, { from, place, message });
  };
  const readCompaction = (text: string) => {
    const lasting = readSentences(asHeadings(text)).filter(({ under }) => !repeatedSection.test(under));
    return read('compaction', '', turn.calls.length, lasting);
  };
  const person = turn.promptOrigin === 'person' && !turn.prompt.startsWith('/');
  const found = [
    // “2 i guess” says nothing beside “Chosen: …”.
    ...(person ? readPrompt(turn, ++message).filter(({ text }) => !picked || !isPick(text)) : []),
    ...(picked ? read('answer', '', 0, asSentences([`Chosen: ${picked.text}`])) : []),
    ...plans(turn).flatMap(({ text, place }) => read('plan', text, place)),
    ...answers(turn).flatMap(({ text, place }) => read('answer', '', place, asSentences([text]))),
    ...turn.said.flatMap(({ text, place }) => read('between', text, place)),
    ...turn.reports
      .slice(-MOST_REPORTS)
      .flatMap((text) =>
        isCompaction(text) ? readCompaction(text) : read('report', text, turn.calls.length),
      ),
    ...commits.flatMap(({ subject, body, place }) =>
      read('commit', '', place, [...asSentences([subject]), ...readSentences(body)]),
    ),
    ...read('closing', turn.closingWords, turn.calls.length),
  ];
  return found.sort((a, b) => a.place - b.place || a.message - b.message);
}

function withPlaces(
  sentences: Sentence[],
  { from, place, message }: { from: SentenceSource; place: number; message: number },
): Candidate[] {
  const lastBlock = sentences.at(-1)?.block;
  const hasBlocks = sentences.some(({ block }) => block !== lastBlock);
  return sentences.map((sentence, index) => ({
    ...sentence,
    from,
    place,
    message,
    isFirst: index === 0,
    correctsAgent: false,
    isFollowUp: false,
    isBeforeCall: from === 'between' && index === sentences.length - 1,
    isAtEnd: from === 'closing' && hasBlocks && sentence.block === lastBlock && !sentence.inList,
  }));
}

/** What the person typed; a correction that needs the words it corrects has them. */
function readPrompt(turn: Turn, message: number): Candidate[] {
  const { prompt, earlierWords } = turn;
  const completed = completeCorrections(ownSentences(prompt), earlierWords);
  const sentences = asSentences(completed.map(({ text }) => text));
  return withPlaces(sentences, { from: 'person', place: 0, message }).map((candidate, index) => ({
    ...candidate,
    correctsAgent: completed[index]?.correctsAgent === true,
    isFollowUp: earlierWords !== '',
  }));
}

function asSentences(texts: string[]): Sentence[] {
  return texts.map((text, block) => ({ text, under: '', block, inList: false, code: [] }));
}

/** A plan that the person accepted. */
function plans({ calls }: Turn): { text: string; place: number }[] {
  return calls.flatMap(({ does, outcome, input, response }, place) => {
    if (does !== 'meta' || outcome !== 'success') return [];
    const text = textField(response, 'plan') ?? textField(input, 'plan') ?? '';
    return text === '' ? [] : [{ text, place }];
  });
}

/** What the person answered when the agent asked. */
function answers({ calls }: Turn): { text: string; place: number }[] {
  return calls.flatMap(({ does, outcome, input, response }, place) => {
    if (does !== 'meta' || outcome !== 'success') return [];
    const given =
      [response, input].map((each) => (isObject(each) ? each.answers : undefined)).find(isObject) ?? {};
    return Object.entries(given).flatMap(([question, answer]) =>
      typeof answer === 'string' && answer !== '' ? [{ text: `${question} ${answer}.`, place }] : [],
    );
  });
}

const compaction = /Primary Request|Pending Tasks|All user messages/i;
/** “5. Problem Solving: ruled out the cache” */
const section = /^\s*\d+\.\s+([A-Z][^:\n]{3,60}):[ \t]*(.*)$/gm;

function isCompaction(report: string): boolean {
  return compaction.test(report);
}

function asHeadings(report: string): string {
  return report.slice(0, 40_000).replace(section, '\n## $1\n$2');
}
