import { findOwnSession } from '../agents/all.ts';
import { remember } from '../curation/remember.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { listOption, parseType, withCuration } from './support/curation.ts';
import { readStdin } from './support/read-stdin.ts';
import { requireArgument } from './support/usage.ts';

export const command: Command = {
  name: 'remember',
  summary: 'Add a note for this project, or for all with --global',
  usage: [
    'remember [--global] [--type <type>] [--why <reason>] [--file <path>]… [--alias <word>]… [--pin] [--json] <words>…',
    'remember [<options>] -      (reads the text from stdin)',
  ].join('\n'),
  help: 'The first sentence becomes the title. An alias is another word that finds the note.',
  options: {
    global: { type: 'boolean' },
    type: { type: 'string' },
    why: { type: 'string' },
    file: { type: 'string', multiple: true },
    alias: { type: 'string', multiple: true },
    pin: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: Number.POSITIVE_INFINITY,
  async run(call) {
    const { positionals, options, env } = call;
    const session = findOwnSession(env);
    const type = parseType(options.type);
    const isFromStdin = positionals.length === 1 && positionals[0] === '-';
    requireArgument(positionals[0], 'text to remember');
    const text = isFromStdin ? String(await readStdin()) : positionals.join(' ');
    const note = withCuration(call, (curation) =>
      remember(curation, {
        text,
        folder: process.cwd(),
        saidBy: 'person',
        ...(type && { type }),
        ...(typeof options.why === 'string' && { why: options.why }),
        files: listOption(options.file),
        aliases: listOption(options.alias),
        isGlobal: options.global === true,
        isPinned: options.pin === true,
        ...(session && { agentSession: session }),
      }),
    );
    print(call, note);
    return 0;
  },
};

function print(call: Call, note: { id: number; isNew: boolean }): void {
  if (call.options.json) printJson(call, note);
  else if (note.isNew) call.out(`Remembered as #${note.id}.`);
  else call.out(`Already known as #${note.id}. It ranks higher now.`);
}
