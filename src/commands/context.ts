import { defaultAgent } from '../agents/default.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { type Context, type LeftOutMemory, NO_CONTEXT, type ShownMemory } from '../context/context.ts';
import type { ContextRequest } from '../context/context-request.ts';
import { formatFileIntro, pathFromTop, selectForFile } from '../context/file.ts';
import { readGivenText } from '../context/given-context.ts';
import { joinOffers, type KnownMemories } from '../context/offers.ts';
import { isWorthLookingUp, PROMPT_INTRO, selectForPrompt } from '../context/prompt.ts';
import { previewStart } from '../context/start/preview.ts';
import { formatCount, formatDayAndTime } from '../context/words.ts';
import { neutralize } from '../framing/neutralize.ts';
import { toOneLine } from '../framing/stored-lines.ts';
import { locateProject } from '../memory/locate.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { readIndexedMemory, readMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { choiceOption } from './support/usage.ts';

export const command: Command = {
  name: 'context',
  summary: 'Show what an agent would get here now, with tokens and reasons',
  usage:
    'context [--for start|prompt|file] [--prompt <text>] [--file <path>] [--session <id>] [--json]\ncontext --given <number> | last [--json]',
  help: 'With --given: the exact text an agent was given; kept for 30 days (retention.contextDays).\nWithout --session: what a new session gets. With --session: leaves out what that session already has.\nNothing is recorded as given.',
  options: {
    for: { type: 'string' },
    prompt: { type: 'string' },
    file: { type: 'string' },
    session: { type: 'string' },
    given: { type: 'string' },
    json: { type: 'boolean' },
  },
  run(call) {
    if (call.options.given !== undefined) return showGiven(call, String(call.options.given));
    const source = readSource(call);
    const context = readIndexedMemory(call, (store) => contextFor(call, store, source));
    if (call.options.json) printJson(call, { for: source, ...toJson(context) });
    else if (context.text === '') call.out(describeEmpty(source));
    else show(call, context);
    return 0;
  },
};

/** Reads the same records as the API. */
function showGiven(call: Call, which: string): number {
  const number = which === 'last' ? null : Number(which.replace(/^#/, ''));
  if (number !== null && !Number.isInteger(number)) throw new UsageError('--given needs a number, or last.');
  const record = readMemory(call, (store) =>
    number === null ? (store.listGivenContexts({}, 1)[0] ?? null) : store.getGivenContext(number),
  );
  if (!record)
    throw new CommandError(
      number === null
        ? 'No agent was given anything yet.'
        : `There is no context ${number}, or it is too old.`,
    );
  const text = readGivenText(record);
  if (call.options.json) printJson(call, { ...record, text });
  else {
    const { tokens, budget, shown, leftOut, agent, agentSession, source, at } = record;
    call.out(call.paint.bold(`${formatDayAndTime(at)} ${source} · ${agent} ${agentSession}`));
    call.out(text ?? 'Something in it was forgotten, so its text is gone.');
    call.out(`${formatCount(tokens, 'token')}${budget === null ? '' : ` of ${budget}`}`);
    for (const memory of shown) printShown(call, memory);
    for (const { memoryId, reason } of leftOut)
      printRow(call, call.paint.dim(`${`#${memoryId}`.padStart(6)}  left out: ${reason}`));
  }
  return 0;
}

/** Without `lines`: the text contains them. */
function toJson({ text, tokens, shown, leftOut }: Context): Omit<Context, 'lines'> {
  return { text, tokens, shown, leftOut };
}

type InjectionSource = 'start' | 'prompt' | 'file';

function readSource({ options }: Call): InjectionSource {
  const named = (['prompt', 'file'] as const).filter((name) => options[name] !== undefined);
  const source = choiceOption('for', options.for ?? named[0] ?? 'start', ['start', 'prompt', 'file']);
  if (source !== 'start' && options[source] === undefined) throw new UsageError(`Missing --${source}.`);
  if (named.some((name) => name !== source))
    throw new UsageError(
      `--for ${source} cannot be combined with --${named.find((name) => name !== source)}.`,
    );
  return source;
}

function contextFor(call: Call, store: Store, source: InjectionSource): Context {
  const location = locateProject(store, process.cwd());
  if (!location) return NO_CONTEXT;
  const session = String(call.options.session ?? '');
  const request: ContextRequest = {
    ...location,
    agent: defaultAgent.id,
    agentSession: redactValue(session),
    settings: call.settings,
    longest: defaultAgent.longestContext,
    now: call.now(),
  };
  if (source === 'start') return previewStart(store, request);
  const since = store.getSessionTimes(session)?.compactedAt ?? 0;
  const isFresh = session === '';
  const known: KnownMemories = {
    whole: isFresh ? new Set() : store.findKnownMemories(session, since),
    claims: isFresh ? new Map() : store.findKnownClaims(session, since),
  };
  return source === 'prompt'
    ? withPrompt(call, store, request, known)
    : buildForFile(call, store, request, known);
}

function withPrompt(call: Call, store: Store, request: ContextRequest, known: KnownMemories): Context {
  const prompt = redactValue(String(call.options.prompt));
  if (call.settings['context.prompt'] === 'off' || !isWorthLookingUp(prompt)) return NO_CONTEXT;
  const leftOut: LeftOutMemory[] = [];
  return joinOffers(PROMPT_INTRO, selectForPrompt(store, request, prompt, known, leftOut), leftOut);
}

function buildForFile(call: Call, store: Store, request: ContextRequest, known: KnownMemories): Context {
  if (call.settings['context.file'] === 'off') return NO_CONTEXT;
  const path = pathFromTop(String(call.options.file), request.top, process.cwd());
  const leftOut: LeftOutMemory[] = [];
  const offers = selectForFile(store, request, path, known.whole, leftOut);
  return joinOffers(formatFileIntro(path), offers, leftOut);
}

const SHOWN_HOW = { full: 'in full', claims: 'claims', line: 'named' };

function show(call: Call, { text, tokens, shown, leftOut }: Context): void {
  const { out, outFramed, paint } = call;
  outFramed(text);
  out('');
  out(paint.bold(`${formatCount(tokens, 'token')}, ${formatCount(text.length, 'character')}`));
  for (const memory of shown) printShown(call, memory);
  if (leftOut.length > 0)
    out(paint.dim(`${formatCount(leftOut.length, 'memory', 'memories')} left out; see: --json`));
}

function printShown(
  call: Call,
  { memoryId, how, tokens, reasons }: Pick<ShownMemory, 'memoryId' | 'how' | 'tokens' | 'reasons'>,
): void {
  const id = `#${memoryId}`.padStart(6);
  const what = SHOWN_HOW[how].padEnd(7);
  printRow(
    call,
    `${call.paint.bold(id)}  ${what}  ${String(tokens).padStart(4)}  ${call.paint.dim(neutralize(toOneLine(reasons.join(', '))))}`,
  );
}

function describeEmpty(source: InjectionSource): string {
  const why = {
    start: withCairnCommand(
      'There is nothing to give a new session in this project yet. See: cairn recent --all',
    ),
    prompt: withCairnCommand(
      'No memory is relevant enough to this prompt. Search yourself: cairn search <words>',
    ),
    file: 'No memory about this file is worth its tokens.',
  };
  return why[source];
}
