import { remember } from '../curation/remember.ts';
import { type Call, type Command, printJson, UsageError } from './command.ts';
import { listFrom, typeFrom, withCuration } from './curating.ts';

export const command: Command = {
  name: 'remember',
  summary: 'Note something down by hand, for this project or for all',
  usage: [
    'remember [--global] [--type <type>] [--file <path>]… [--alias <word>]… [--pin] [--json] <words>…',
    'remember [<options>] -      (the text comes from stdin)',
  ].join('\n'),
  help: 'The first sentence becomes the title. An alias is another word under which the note is to be found.',
  options: {
    global: { type: 'boolean' },
    type: { type: 'string' },
    file: { type: 'string', multiple: true },
    alias: { type: 'string', multiple: true },
    pin: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  words: Number.POSITIVE_INFINITY,
  async run(call) {
    const { positionals, options, env } = call;
    const type = typeFrom(options.type);
    const isFromStdin = positionals.length === 1 && positionals[0] === '-';
    if (positionals.length === 0) throw new UsageError('What should be remembered?');
    const text = isFromStdin ? await readStdin() : positionals.join(' ');
    const note = withCuration(call, (world) =>
      remember(world, {
        text,
        folder: process.cwd(),
        saidBy: 'person',
        ...(type && { type }),
        files: listFrom(options.file),
        aliases: listFrom(options.alias),
        isGlobal: options.global === true,
        isPinned: options.pin === true,
        ...(env.sessionId && { agentSession: env.sessionId }),
      }),
    );
    print(call, note);
    return 0;
  },
};

function print(call: Call, note: { id: number; isNew: boolean }): void {
  if (call.options.json) printJson(call, note);
  else if (note.isNew) call.out(`Remembered as #${note.id}.`);
  else call.out(`That is known already as #${note.id}; it is stronger now.`);
}

async function readStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  return text;
}
