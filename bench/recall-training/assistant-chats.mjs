// RealMem (AvatarMemory, Apache-2.0; its README says MIT): long conversations of one person and an assistant, with notes
// of what a turn told. The notes are in other words than the turns, so questions are made of the notes, and the turns
// are the answers.

import { questionsOverNotes } from './assistant-questions.mjs';
import { fileIn, filesIn } from './git-files.mjs';
import { REMARKS } from './remarks.mjs';

const FOLDER = 'dataset';
/** Questions that the person asks in the conversation itself; these turns are left out, with the replies to them. */
const SHARE_ASKED = 0.4;
const LONGEST_ASKED = 60;

/** A turn is a document, a person a group. @param isWanted which of the people, by number */
export function assistantChatsOf(gitDir, isWanted, random) {
  const documents = [];
  const questions = [];
  const paths = filesIn(gitDir, FOLDER).filter((path) => path.endsWith('.json'));
  for (const [person, path] of paths.entries()) {
    if (!isWanted(person)) continue;
    const sessions = JSON.parse(fileIn(gitDir, path)).dialogues;
    const group = `person${person}`;
    const asked = askedIn(sessions, random);
    const turns = turnsOf(sessions, { asked, remarks: remarksFor(person, sessions.length, random) });
    for (const { key, remark, ...turn } of turns)
      documents.push({ ...turn, id: `${group}/${turn.id}`, group, order: documents.length });
    const ids = new Map(turns.map(({ key, id }) => [key, `${group}/${id}`]));
    const notes = sessions.flatMap((session) => notesOf(session, ids));
    const found = [
      ...turns.flatMap(({ remark, id }) =>
        remark ? [{ category: 'remark', text: remark.question, relevant: [`${group}/${id}`] }] : [],
      ),
      ...questionsOverNotes(notes, random),
      ...asked.flatMap((exchange) => questionOf(exchange, notes)),
    ];
    for (const question of found) questions.push({ id: `${group}/q${questions.length}`, group, ...question });
  }
  return { documents, questions };
}

/** Short questions of the person, each with the reply. */
function askedIn(sessions, random) {
  return sessions.flatMap(({ dialogue_turns: turns }) =>
    turns.flatMap((turn, index) => {
      const isShort = turn.content.split(/\s+/).length <= LONGEST_ASKED;
      return turn.is_query && isShort && random() < SHARE_ASKED ? [{ turn, reply: turns[index + 1] }] : [];
    }),
  );
}

function turnsOf(sessions, { asked, remarks }) {
  const left = new Set(asked.flatMap(({ turn, reply }) => [turn, reply]));
  return sessions.flatMap(({ session_uuid: session, current_time: day, dialogue_turns: turns }, index) =>
    [...turns.filter((turn) => !left.has(turn)), ...remarks.filter(({ at }) => at === index)].map(
      ({ speaker, content, remark }, place) => ({
        ...{ id: `${session}:${place}`, session, speaker: speaker.toLowerCase(), text: content, remark },
        // RealMem has the day only; the minutes keep the turns in order.
        at: new Date(Date.parse(`${day.slice(0, 10)}T09:00:00Z`) + place * 60_000).toISOString(),
        key: keyOf(session, content),
      }),
    ),
  );
}

/** Instructions and preferences, which RealMem hardly has; half of them for each half of the people. */
function remarksFor(person, sessions, random) {
  return REMARKS.filter((_, index) => index % 2 === person % 2).flatMap((remark) => {
    const at = Math.floor(random() * sessions);
    return [
      { at, speaker: 'User', content: remark.said, remark },
      { at, speaker: 'Assistant', content: remark.reply },
    ];
  });
}

function notesOf({ session_uuid: session, session_identifier: name, extracted_memory: notes }, ids) {
  return notes.flatMap(({ content, source_content_snapshot: source, source_role_snapshot: role }) => {
    const id = ids.get(keyOf(session, source));
    const text = String(content.content ?? content)
      .replace(/【[^】]*】/g, '')
      .replace(/\b(?:the )?(?:user|assistant)(?:'s)?\b/gi, '')
      .trim();
    const isByPerson = role === 'User';
    return id
      ? [{ id, text, session, project: name.split(':')[0], isByPerson, key: keyOf(session, content) }]
      : [];
  });
}

/** What the person asked; the turns behind the notes that the reply used are relevant. */
function questionOf({ turn, reply }, notes) {
  const known = new Map(notes.map(({ key, id }) => [key, id]));
  const used = reply?.memory_used ?? [];
  const relevant = used.flatMap(({ session_uuid, content }) => known.get(keyOf(session_uuid, content)) ?? []);
  return relevant.length > 0
    ? [{ category: 'own words', text: turn.content, relevant: [...new Set(relevant)] }]
    : [];
}

function keyOf(session, text) {
  return `${session}\n${text}`;
}
