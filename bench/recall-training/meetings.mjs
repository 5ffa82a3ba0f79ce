// QMSum (Yale-LILY, MIT): people's questions about meetings, with the turns that answer them.

import { fileIn, filesIn } from './git-files.mjs';

/** AMI's and ICSI's meetings (both CC BY 4.0) teach; parliaments' committees are only measured with. */
export const TAUGHT = ['data/Product/train', 'data/Academic/train'];
export const HELD_OUT = ['data/ALL/val', 'data/ALL/test'];
const MEETINGS_IN_GROUP = 5;
/** An answer of more turns is a summary of the meeting, and no turn of it is meant. */
const LONGEST_ANSWER = 30;

/** A turn is a document, a meeting a session, a few meetings a group. */
export function meetingsOf(gitDir, folders) {
  const documents = [];
  const questions = [];
  const paths = folders.flatMap((folder) => filesIn(gitDir, folder));
  for (const [number, path] of paths.entries()) {
    const meeting = JSON.parse(fileIn(gitDir, path));
    const group = `meetings${Math.floor(number / MEETINGS_IN_GROUP)}`;
    const idOf = (turn) => `${path}:${turn}`;
    const turns = meeting.meeting_transcripts;
    for (const [turn, { speaker, content }] of turns.entries())
      documents.push({
        id: idOf(turn),
        group,
        session: path,
        order: documents.length,
        at: null,
        speaker,
        text: closedUp(content),
      });
    for (const [index, { query, relevant_text_span: spans }] of meeting.specific_query_list.entries()) {
      const answering = turns.flatMap((_, turn) =>
        spans.some(([from, to]) => turn >= Number(from) && turn <= Number(to)) ? [idOf(turn)] : [],
      );
      if (answering.length > 0 && answering.length <= LONGEST_ANSWER)
        questions.push({ id: `${path}?${index}`, group, text: query, category: 1, relevant: answering });
    }
  }
  return { documents, questions };
}

/** The set has a space before every mark and ending, and notes like {vocalsound} between the words. */
function closedUp(text) {
  return text
    .replace(/\{\w+\}/g, '')
    .replace(/ (n't|'(?:s|re|ve|ll|d|m))\b/g, '$1')
    .replace(/ ([.,!?;:])/g, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}
