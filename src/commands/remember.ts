import { findOwnSession } from '../agents/all.ts';
import { remember } from '../curation/remember.ts';
import { OBSERVATION_TYPES } from '../model/memory.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { listOption, parseType, withCuration } from './support/curation.ts';
import { readMemoryNumber } from './support/numbers.ts';
import { readStdin } from './support/read-stdin.ts';
import { requireArgument } from './support/usage.ts';

export const command: Command = {
  name: 'remember',
  summary: 'Add a note for this project, or for all with --global',
  usage: [
    'remember [--global] [--type <type>] [--why <reason>] [--file <path>]… [--alias <word>]… [--replaces <number>]… [--pin] [--json] <words>…',
    'remember [<options>] -      (reads the text from stdin)',
  ].join('\n'),
  help: [
    `Types: ${OBSERVATION_TYPES.join(', ')}. Without a type it is a note.`,
    'The first sentence becomes the title. An alias is another word that finds the note.',
    'A memory that the note replaces is kept, but no longer given to agents; search shows the note instead.',
  ].join('\n'),
  options: {
    global: { type: 'boolean' },
    type: { type: 'string' },
    why: { type: 'string' },
    file: { type: 'string', multiple: true },
    alias: { type: 'string', multiple: true },
    replaces: { type: 'string', multiple: true },
    pin: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: Number.POSITIVE_INFINITY,
  async run(call) {
    const { positionals, options, env } = call;
    const session = findOwnSession(env);
    // Lists show the memory of this command as a note if it has no type.
    const type = options.type === 'note' ? undefined : parseType(options.type);
    const replaces = listOption(options.replaces).map(readMemoryNumber);
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
        replaces,
        ...(session && { agentSession: session }),
      }),
    );
    print(call, note, replaces);
    return 0;
  },
};

function print(call: Call, note: { id: number; isNew: boolean }, replaces: number[]): void {
  if (call.options.json) printJson(call, note);
  else if (note.isNew) call.out(`Remembered as #${note.id}.`);
  else call.out(`Already known as #${note.id}. It ranks higher now.`);
  if (replaces.length > 0 && !call.options.json)
    call.out(`It replaces ${replaces.map((id) => `#${id}`).join(', ')}.`);
}
