// Questions about conversations with an assistant, made by rule from notes of what was told: about one turn, about the
// turns of several sessions, and about what was said twice.

import { pick, shuffled, wordsOf } from './words.mjs';

const NOTES_ASKED = 0.35;
const MOST_TOPICS = 24;
const MOST_PAIRS = 24;
/** What more notes than this share have in them is no subject. */
const COMMON = 0.03;

const FORMS = {
  fact: [
    'What did I tell you about WORDS?',
    'What did I say regarding WORDS?',
    'WORDS',
    "What's my plan for WORDS?",
    'Which WORDS did I mention?',
    'When did I mention WORDS?',
    'How many WORDS do I have?',
    'Remind me about WORDS',
  ],
  agent: [
    'What did you suggest about WORDS?',
    'What did you recommend for WORDS?',
    'You told me about WORDS, what was it?',
    'Which WORDS did you list?',
    'How did you explain WORDS?',
    'Remind me what you proposed for WORDS',
  ],
  order: [
    'In what order did I bring up WORDS over our conversations?',
    'List the order in which I talked about different aspects of WORDS, from first to last.',
    'How did things with WORDS develop over time? Walk me through it chronologically.',
    'What was the sequence of what I mentioned about WORDS across our sessions? Name only five items.',
  ],
  summary: [
    'Can you give me a summary of everything about WORDS so far?',
    'Summarise how WORDS progressed throughout our conversations, including key decisions.',
    'Give me a comprehensive overview of what we discussed regarding WORDS.',
    'How many different things did I mention about WORDS across all our sessions?',
  ],
  update: [
    'What is the current state of WORDS?',
    'What is the latest on WORDS?',
    'WORDS now?',
    'How did WORDS change?',
  ],
  contradiction: [
    'Have I ever mentioned WORDS?',
    'Did I say anything about WORDS before?',
    'Have I dealt with WORDS?',
  ],
};

/** @param notes [{ id, text, session, project, isByPerson }], `id` of the turn that told it */
export function questionsOverNotes(notes, random) {
  const subjectsOf = subjectsAmong(notes);
  const byPerson = notes.filter(({ isByPerson }) => isByPerson);
  return [
    ...overSingle(notes, random),
    ...overTopics(byPerson, subjectsOf, random),
    ...overPairs(byPerson, subjectsOf, random),
  ];
}

function overSingle(notes, random) {
  return notes.flatMap(({ text, isByPerson, id }) =>
    random() < NOTES_ASKED
      ? [questionOf(isByPerson ? 'fact' : 'agent', [id], random, () => chunkOf(text, random))]
      : [],
  );
}

/** Notes of one project that share a word, from several sessions. */
function overTopics(notes, subjectsOf, random) {
  const topics = new Map();
  for (const note of notes)
    for (const word of subjectsOf(note.text)) {
      const key = `${note.project}\n${word}`;
      topics.set(key, [...(topics.get(key) ?? []), note]);
    }
  const several = [...topics].filter(
    ([, found]) =>
      found.length >= 3 && found.length <= 9 && new Set(found.map(({ session }) => session)).size >= 3,
  );
  return shuffled(several, random)
    .slice(0, MOST_TOPICS)
    .map(([key, found]) => {
      const [project, word] = key.split('\n');
      const further = pick(subjectsOf(pick(found, random).text), random);
      const name = project.replace(/_\d+$/, '').replaceAll('_', ' ').toLowerCase();
      const words = random() < 0.5 ? `my ${name} and ${word}` : `${further} ${word}`;
      return questionOf(
        random() < 0.5 ? 'order' : 'summary',
        found.map(({ id }) => id),
        random,
        () => words,
      );
    });
}

/** Two notes of different sessions about the same: the later one may change or contradict the earlier. */
function overPairs(notes, subjectsOf, random) {
  const pairs = notes.flatMap((one, index) =>
    notes.slice(index + 1).flatMap((other) => {
      if (other.session === one.session) return [];
      const others = new Set(subjectsOf(other.text));
      const shared = subjectsOf(one.text).filter((word) => others.has(word));
      return shared.length >= 3 && shared.length <= 6 ? [{ ids: [one.id, other.id], shared }] : [];
    }),
  );
  return shuffled(pairs, random)
    .slice(0, MOST_PAIRS)
    .map(({ ids, shared }) => {
      const words = shuffled(shared, random).slice(0, 3).join(' ');
      return questionOf(random() < 0.5 ? 'update' : 'contradiction', ids, random, () => words);
    });
}

function questionOf(category, ids, random, words) {
  const form = pick(FORMS[category], random);
  return { category, text: form.replace('WORDS', words()), relevant: [...new Set(ids)] };
}

/** A few words in a row, as people repeat them, now and then in another order. */
function chunkOf(text, random) {
  const words = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}$]+|[^\p{L}\p{N}%]+$/gu, ''));
  const length = 4 + Math.floor(random() * 5);
  const from = Math.floor(random() * Math.max(1, words.length - length));
  const chunk = words.slice(from, from + length);
  return (random() < 0.3 ? shuffled(wordsOf(chunk.join(' ')), random).slice(0, 4) : chunk).join(' ');
}

function subjectsAmong(notes) {
  const counts = new Map();
  for (const { text } of notes)
    for (const word of new Set(wordsOf(text.toLowerCase()))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (text) =>
    wordsOf(text.toLowerCase()).filter(
      (word) => /\p{L}{4}/u.test(word) && counts.get(word) < COMMON * notes.length,
    );
}
