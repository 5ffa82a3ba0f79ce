// Turns a record into a question somebody could ask who remembers it badly: some of its words, in another order,
// one word from what was done just before or after, a file, the person, the day.

import { otherForm, pick, shuffled, wordsOf } from './words.mjs';

const WRAPS = [
  'why did we WORDS',
  'when did we WORDS',
  'how does WORDS work',
  'what was it about WORDS',
  'where do we handle WORDS',
  'what did we decide on WORDS',
  'that thing with WORDS',
  'WORDS',
  'WORDS broken',
  'what changed in FILE regarding WORDS',
  'who worked on WORDS',
  'what did NAME do about WORDS',
  'did NAME fix WORDS',
  'WORDS in MONTH',
];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
/** @param random gives numbers from 0 to 1, always the same ones. */
export function questionsOver(documents, share, random) {
  return documents.flatMap((document, index) => {
    if (random() > share) return [];
    const text = questionFor(document, [documents[index - 1], documents[index + 1]], random);
    return text
      ? [{ id: `${document.id}?`, group: document.group, text, category: 1, relevant: [document.id] }]
      : [];
  });
}

function questionFor(document, around, random) {
  const own = wordsOf(`${document.title} ${random() < 0.5 ? document.text : ''}`);
  if (own.length < 3) return null;
  const count = 2 + Math.floor(random() * 3);
  const chosen = shuffled(own, random).slice(0, count);
  const near = around.filter((other) => other?.session === document.session);
  if (near.length > 0 && random() < 0.35)
    chosen[0] = pick(wordsOf(pick(near, random).title), random) ?? chosen[0];
  if (document.files.length > 0 && random() < 0.2)
    chosen.push(
      pick(
        pick(document.files, random)
          .split(/[/.]/)
          .filter((part) => part.length > 2),
        random,
      ) ?? '',
    );
  const words = chosen.map((word) => (random() < 0.15 ? otherForm(word) : word)).join(' ');
  const month = MONTHS[new Date(document.at).getMonth()];
  return pick(WRAPS, random)
    .replace('WORDS', words)
    .replace('FILE', document.files.length > 0 ? fileName(pick(document.files, random)) : 'it')
    .replace('NAME', document.speaker.split(' ')[0] ?? 'we')
    .replace('MONTH', month)
    .trim();
}

function fileName(path) {
  return path.split('/').at(-1) ?? path;
}
