// Turns a turn of a conversation into a question somebody could ask later: by its subject, which often was named
// by the one who asked just before, and without what the answer tells.

import { otherForm, pick, shuffled, wordsOf } from './words.mjs';

/** What may be asked where the turn tells it; what tells it is not in the question. */
const TOLD = [
  {
    told: /\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|dozen|couple|several|hundred|thousand)\b/gi,
    wraps: ['how many WORDS does NAME have', 'how many WORDS', 'how much WORDS', 'how long did NAME WORDS'],
  },
  {
    told: /\b(?:yesterday|today|tomorrow|tonight|(?:last|next|every) \w+|\w+ ago|weekends?|months?|years?|days?|weeks?|morning|evening|recently|soon|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi,
    wraps: ['when did NAME WORDS', 'when is WORDS', 'when does NAME WORDS', 'when was WORDS'],
  },
  {
    told: /(?<=[^.!?\s] )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*/gu,
    wraps: [
      'who WORDS',
      'where does NAME WORDS',
      'which WORDS does NAME like',
      "what is the name of NAME's WORDS",
    ],
  },
  {
    told: /\b(?:because|so that|since|due to)\b[^.!?]*/gi,
    wraps: ['why does NAME WORDS', 'why did NAME WORDS', 'what is the reason for WORDS'],
  },
];
const WRAPS = [
  ...[
    'what does NAME WORDS',
    'what did NAME WORDS',
    'what is WORDS',
    'does NAME WORDS',
    'how does NAME WORDS',
  ],
  ...['what did NAME say about WORDS', 'what kind of WORDS does NAME have', 'WORDS', "NAME's WORDS"],
];
const ABOUT_ONESELF = /\b(?:I|I'm|I've|my|we|our)\b/i;
const ABOUT_THE_OTHER = /\byou(?:r|'re|'ve)?\b/i;
/** What more turns than this share have in them is no subject. */
const COMMON = 0.005;
const LONGEST_CHAT = 100;

/** @param random gives numbers from 0 to 1, always the same ones. */
export function questionsOverChats(turns, share, random) {
  const subjectsOf = subjectsAmong(turns);
  return turns.flatMap((turn, index) => {
    // The more a turn tells, the likelier it is asked about.
    if (random() > share * subjectsOf(turn.text, turn).length) return [];
    const chat = turns
      .slice(Math.max(0, index - LONGEST_CHAT), index + LONGEST_CHAT)
      .filter(({ session }) => session === turn.session);
    const text = questionFor(turn, { chat, stranger: pick(turns, random) }, subjectsOf, random);
    const { id, group } = turn;
    return text ? [{ id: `${id}?`, group, text, category: 1, relevant: [id] }] : [];
  });
}

function questionFor(turn, { chat, stranger }, subjectsOf, random) {
  // Nobody asks for a question.
  const told = turn.text.replace(/[^.!?]*\?/g, '');
  const kind = kindFor(told, random);
  const own = subjectsOf(kind ? told.replace(kind.told, ' ') : told, turn);
  if (own.length === 0) return null;
  const chosen = shuffled(own, random).slice(0, 1 + Math.floor(random() * 2));
  const before = chat[chat.indexOf(turn) - 1];
  if (before?.text.includes('?') && random() < 0.6) add(chosen, subjectsOf(before.text, turn), random);
  // What the chat is about is said anywhere in it, and some of the words are one's own.
  if (random() < 0.4) add(chosen, subjectsOf(pick(chat, random).text, turn), random);
  if (random() < 0.4) add(chosen, subjectsOf(stranger.text, turn), random);
  if (random() < 0.4) add(chosen, wordsOf(told), random);
  const words = chosen.map((word) => (random() < 0.15 ? otherForm(word) : word)).join(' ');
  const wrap = pick(kind?.wraps ?? WRAPS, random);
  return wrap.replace('WORDS', words).replace('NAME', random() < 0.85 ? askedAbout(turn, random) : 'they');
}

/** Now and then a turn tells when or how many without any word by which that could be seen. */
function kindFor(told, random) {
  const chance = random();
  const askable = TOLD.filter(({ told: form }) => told.match(form));
  if (chance < 0.5 && askable.length > 0) return pick(askable, random);
  return chance > 0.85 ? pick(TOLD, random) : null;
}

/** The question is about whom the turn is about: mostly the one who says "I", sometimes the one called "you". */
function askedAbout({ text, speaker, other }, random) {
  const isAboutOther = text.includes(other) || (ABOUT_THE_OTHER.test(text) && !ABOUT_ONESELF.test(text));
  return random() < (isAboutOther ? 0.7 : 0.1) ? other : speaker;
}

/** The words of a text that few turns have in them, without those who speak. */
function subjectsAmong(turns) {
  const counts = new Map();
  for (const { text } of turns)
    for (const word of new Set(wordsOf(text.toLowerCase()))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isSubject = (word) => (counts.get(word.toLowerCase()) ?? 0) < COMMON * turns.length;
  return (text, { speaker, other }) =>
    wordsOf(text).filter((word) => isSubject(word) && word !== speaker && word !== other);
}

function add(chosen, words, random) {
  const word = pick(words, random);
  if (word) chosen.push(word);
}
