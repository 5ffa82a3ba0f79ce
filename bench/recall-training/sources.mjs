import { assistantChatsOf } from './assistant-chats.mjs';
import { questionsOverChats } from './chat-questions.mjs';
import { chatsOf } from './chats.mjs';
import { documentsOf } from './commits.mjs';
import { gitDirOf } from './git-files.mjs';
import { HELD_OUT, meetingsOf, TAUGHT } from './meetings.mjs';
import { questionsOver } from './questions.mjs';
import { numbers } from './words.mjs';

const REPOSITORIES = {
  fastify: 'https://github.com/fastify/fastify (MIT)',
  vite: 'https://github.com/vitejs/vite (MIT)',
  axum: 'https://github.com/tokio-rs/axum (MIT)',
  flask: 'https://github.com/pallets/flask (BSD-3-Clause)',
  cobra: 'https://github.com/spf13/cobra (Apache-2.0)',
};
const SOURCES = {
  ...REPOSITORIES,
  chats: 'https://github.com/google-research-datasets/Synthetic-Persona-Chat (CC BY 4.0)',
  realmem: 'https://github.com/AvatarMemory/RealMemBench (Apache-2.0)',
  qmsum: 'https://github.com/Yale-LILY/QMSum (MIT; its AMI and ICSI meetings CC BY 4.0)',
};
const COMMITS = 1_500;
const COMMITS_ASKED = 0.25;
/** For each word of a turn that could be its subject. */
const TURNS_ASKED = 0.06;

/** Documents and questions of each set, from clones in one folder; ends the process where one is missing. */
export function loadSets(folder) {
  const missing = Object.keys(SOURCES).filter((name) => !folder || !gitDirOf(folder, name));
  if (missing.length > 0) {
    console.error('The first argument is a folder with these clones in it; what is missing there:');
    for (const name of missing) console.error(`  ${name}: ${SOURCES[name]}`);
    process.exit(2);
  }
  const random = numbers(42);
  const histories = Object.keys(REPOSITORIES).map((name) =>
    documentsOf(gitDirOf(folder, name), name, COMMITS),
  );
  const chats = chatsOf(gitDirOf(folder, 'chats'), random);
  return {
    chats: { documents: chats, questions: questionsOverChats(chats, TURNS_ASKED, random) },
    meetings: meetingsOf(gitDirOf(folder, 'qmsum'), TAUGHT),
    commits: {
      documents: histories.flat(),
      questions: histories.flatMap((history) => questionsOver(history, COMMITS_ASKED, random)),
    },
    heldOut: meetingsOf(gitDirOf(folder, 'qmsum'), HELD_OUT),
    assistant: assistantChatsOf(gitDirOf(folder, 'realmem'), (person) => person % 2 === 0, numbers(7)),
    assistantHeldOut: assistantChatsOf(gitDirOf(folder, 'realmem'), (person) => person % 2 === 1, numbers(8)),
  };
}
