// Synthetic-Persona-Chat (Google Research, CC BY 4.0): conversations of two people about themselves.

import { fileIn } from './git-files.mjs';

const FILE = 'data/Synthetic-Persona-Chat_valid.csv';
const CHATS_IN_GROUP = 25;
/** The set calls them User 1 and User 2. */
const NAMES = [
  ...['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Grace', 'Henry', 'Irene', 'Jonas', 'Kate', 'Liam'],
  ...['Mona', 'Noah', 'Olga', 'Peter', 'Ruth', 'Simon', 'Tina', 'Victor'],
];
/** After such a beginning people now and then say whom they speak to, when they speak about them. */
const SPOKEN_TO = /^(?:hi|hello|hey|thanks|thank you|wow|oh|sure|yes|no|that's \w+)\b(?=[,.!].*\byou\b)/i;
const SHARE_SPOKEN_TO = 0.3;

/** A turn is a document, a chat a session; the chats of a group are between the same two people. */
export function chatsOf(gitDir, random) {
  return conversationsIn(fileIn(gitDir, FILE)).flatMap((chat, number) => {
    const group = Math.floor(number / CHATS_IN_GROUP);
    const names = [NAMES[(2 * group) % NAMES.length], NAMES[(2 * group + 1) % NAMES.length]];
    return turnsOf(chat).map(({ who, text }, turn) => ({
      id: `chat${number}:${turn}`,
      group: `chats${group}`,
      session: `chat${number}`,
      order: number * 1_000 + turn,
      at: null,
      speaker: names[who],
      other: names[1 - who],
      text: withNames(text, names, random() < SHARE_SPOKEN_TO ? names[1 - who] : null),
    }));
  });
}

function withNames(text, names, spokenTo) {
  const named = text
    .replace(/\[user ?([12])(?:'s)?(?: name)?\]|\buser ([12])\b/gi, (_, one, two) => names[(one ?? two) - 1])
    .replace(/\[(?:your )?name\]/gi, names[0]);
  return spokenTo ? named.replace(SPOKEN_TO, `$& ${spokenTo}`) : named;
}

function turnsOf(chat) {
  return chat.split('\n').flatMap((line) => {
    const [, who, text] = /^User ([12]): (.+)$/.exec(line.trim()) ?? [];
    return text ? [{ who: who - 1, text }] : [];
  });
}

/** The third column; all of its cells are quoted, with "" for a quote. */
function conversationsIn(csv) {
  return [...csv.matchAll(/,"(User [12]:(?:[^"]|"")*)"\r?(?:\n|$)/g)].map(([, chat]) =>
    chat.replaceAll('""', '"'),
  );
}
