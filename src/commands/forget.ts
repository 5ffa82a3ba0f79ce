import { counted } from '../context/words.ts';
import {
  type ForgetRequest,
  type ForgottenEverywhere,
  forgetEverywhere,
  isAnyMissing,
} from '../curation/forget.ts';
import { type Ask, askOnTerminal, isAgreed, isAsked } from './ask.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { withCuration } from './curating.ts';

export const command = createForget(askOnTerminal);

export function createForget(ask: Ask): Command {
  return {
    name: 'forget',
    summary: 'Remove memories from every file Cairn has, so that nothing brings them back',
    usage:
      'forget <memory number>… | p<prompt number>… | s<session number>… [--with-source] [--dry-run] [--yes] [--json]',
    help: [
      'Other memories of the same turn lose the sentences that say the same, and so do works, plans, tasks and handoffs.',
      '--with-source also empties the raw events and prompts it was made from, and removes whatever else tells of it.',
      '--dry-run only says what would be removed.',
    ].join('\n'),
    options: {
      'with-source': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean', short: 'y' },
      json: { type: 'boolean' },
    },
    words: Number.POSITIVE_INFINITY,
    async run(call) {
      const request = requestFrom(call);
      const isDryRun = call.options['dry-run'] === true;
      if (!isDryRun && isAsked(call)) {
        const planned = forgetNow(call, { ...request, isDryRun: true });
        if (!(await isAgreed(call, ask, `Forget ${told(planned)} for good?`))) return 0;
      }
      const forgotten = forgetNow(call, { ...request, isDryRun });
      if (call.options.json) printJson(call, forgotten);
      else print(call, forgotten, isDryRun);
      return 0;
    },
  };
}

function forgetNow(call: Call, request: ForgetRequest): ForgottenEverywhere {
  // With much in memory it takes some seconds.
  if (call.isTerminal && !call.options.json) call.err('Looking through everything …');
  const forgotten = withCuration(call, (world) => forgetEverywhere(world, request));
  if (isAnyMissing(forgotten)) throw new CommandError(missingIn(forgotten));
  return forgotten;
}

function requestFrom({ positionals, options }: Call): ForgetRequest {
  if (positionals.length === 0) throw new UsageError('What? Memories are listed by "cairn recent".');
  const request: ForgetRequest = {
    memories: [],
    prompts: [],
    sessions: [],
    withSource: options['with-source'] === true,
  };
  const lists = { '': request.memories, '#': request.memories, p: request.prompts, s: request.sessions };
  for (const word of new Set(positionals)) {
    const [, kind = '', number] = /^([#ps]?)(\d{1,15})$/.exec(word) ?? [];
    if (!number) throw new UsageError(`"${word}" is no memory (12), prompt (p34) or session (s5).`);
    lists[kind as keyof typeof lists].push(Number(number));
  }
  return request;
}

function missingIn({ missing: { memories, prompts, sessions } }: ForgottenEverywhere): string {
  const names = [
    ...memories.map((id) => `memory ${id}`),
    ...prompts.map((id) => `prompt p${id}`),
    ...sessions.map((id) => `session s${id}`),
  ];
  return `There is no ${names.join(', no ')}. Nothing was forgotten. See: cairn recent --all`;
}

function print({ out, err }: Call, forgotten: ForgottenEverywhere, isDryRun: boolean): void {
  out(`${isDryRun ? 'Would forget' : 'Forgot'}: ${told(forgotten)}.`);
  const { keptEvents, files, notes, hasRemains } = forgotten;
  if (keptEvents > 0)
    out(
      `${counted(keptEvents, 'raw event')} it came from ${keptEvents === 1 ? 'stays' : 'stay'}: --with-source removes them too.`,
    );
  for (const { path, problem } of notes) if (problem) err(`${path} may tell of it still: ${problem}`);
  for (const name of files.holding) err(`${name} holds it too and was left as it is.`);
  if (hasRemains)
    err('The database could not be written anew: pieces of it may be left in its files. Why: cairn logs');
}

function told(forgotten: ForgottenEverywhere): string {
  const { memories, trimmed, prompts, events, injections, works, logLines, files, notes } = forgotten;
  const parts = [
    ...memories.map(({ id, kind }) => `${kind === 'observation' ? 'memory' : kind} ${id}`),
    ...trimmed.map(({ id, kind, sentences }) => `${counted(sentences, 'sentence')} in ${kind} ${id}`),
    prompts > 0 && counted(prompts, 'prompt'),
    events > 0 && counted(events, 'raw event'),
    injections > 0 && `${counted(injections, 'record')} of giving it to an agent`,
    works > 0 && `what ${counted(works, 'work')} told of it`,
    logLines > 0 && counted(logLines, 'log line'),
    ...files.removed,
    ...notes.flatMap(({ path, problem }) => (problem ? [] : [`the notes in ${path}`])),
  ];
  return parts.filter(Boolean).join(', ') || 'nothing that can be read';
}
