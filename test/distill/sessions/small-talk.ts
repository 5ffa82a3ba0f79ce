import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

export const smallTalk: DistillSession = {
  name: 'small talk',
  about: 'Greetings, a look around and a thank you: nothing that anybody would want to find again.',
  files: {
    'README.md': '# attic\n\nOdds and ends.\n',
    'notes/todo.md': '- [ ] sort the boxes\n',
  },
  prompts: ['hello, are you there?', 'which files are here?', 'ok thanks, that is all for now'],
  script: (dir) => {
    const { run } = callsIn(dir);
    return {
      main: [
        [say('Hello! Yes, I am here. What can I do for you?')],
        [run('git ls-files', 'List the files', 'notes/todo.md')],
        [say('There are two files: `README.md` and `notes/todo.md`.')],
        [say("You're welcome. See you next time!")],
      ],
    };
  },
  expects: { essentials: [], summaries: [], noise: ['See you next time', 'Yes, I am here'], nothing: true },
};
