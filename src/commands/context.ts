import { defaultAgent } from '../agents/default.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { type Context, joinContexts, NO_CONTEXT } from '../context/context.ts';
import type { ContextRequest } from '../context/context-request.ts';
import { formatFileIntro, pathFromTop, selectForFile } from '../context/file.ts';
import { joinOffers, type KnownMemories } from '../context/offers.ts';
import { isWorthLookingUp, PROMPT_INTRO, selectForPrompt } from '../context/prompt.ts';
import { buildStart } from '../context/start/start.ts';
import { formatCount } from '../context/words.ts';
import { buildWorkAtStart } from '../context/work/at-start.ts';
import { neutralize } from '../framing/neutralize.ts';
import { toOneLine } from '../framing/stored-lines.ts';
import { locateProject } from '../memory/locate.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, printJson, UsageError } from './support/command.ts';
import { readIndexedMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { choiceOption } from './support/usage.ts';

export const command: Command = {
  name: 'context',
  summary: 'Show what an agent would be given here now, with tokens and reasons',
  usage: 'context [--for start|prompt|file] [--prompt <text>] [--file <path>] [--session <id>] [--json]',
  help: 'Without --session: what a new session gets. With --session: leaves out what that session already has.\nIt is only shown, not recorded.',
  options: {
    for: { type: 'string' },
    prompt: { type: 'string' },
    file: { type: 'string' },
    session: { type: 'string' },
    json: { type: 'boolean' },
  },
  run(call) {
    const source = readSource(call);
    const context = readIndexedMemory(call, (store) => contextFor(call, store, source));
    if (call.options.json) printJson(call, { for: source, ...toJson(context) });
    else if (context.text === '') call.out(describeEmpty(source));
    else show(call, context);
    return 0;
  },
};

/** The lines are in the text. */
function toJson({ text, tokens, shown }: Context): Omit<Context, 'lines'> {
  return { text, tokens, shown };
}

type InjectionSource = 'start' | 'prompt' | 'file';

function readSource({ options }: Call): InjectionSource {
  const given = (['prompt', 'file'] as const).filter((name) => options[name] !== undefined);
  const source = choiceOption('for', options.for ?? given[0] ?? 'start', ['start', 'prompt', 'file']);
  if (source !== 'start' && options[source] === undefined) throw new UsageError(`Missing --${source}.`);
  if (given.some((name) => name !== source))
    throw new UsageError(
      `--for ${source} cannot be combined with --${given.find((name) => name !== source)}.`,
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
  if (source === 'start') return buildForStart(store, request);
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

function buildForStart(store: Store, request: ContextRequest): Context {
  const claim = (handoffId: number) => store.getHandoff(handoffId)?.state === 'staged';
  const work = buildWorkAtStart(store, request, { source: 'startup', claim });
  const longest = Math.max(0, request.longest - work.text.length - 1);
  return joinContexts(work, buildStart(store, { ...request, longest }, { source: 'startup' }));
}

function withPrompt(call: Call, store: Store, request: ContextRequest, known: KnownMemories): Context {
  const prompt = redactValue(String(call.options.prompt));
  if (call.settings['context.prompt'] === 'off' || !isWorthLookingUp(prompt)) return NO_CONTEXT;
  return joinOffers(PROMPT_INTRO, selectForPrompt(store, request, prompt, known));
}

function buildForFile(call: Call, store: Store, request: ContextRequest, known: KnownMemories): Context {
  if (call.settings['context.file'] === 'off') return NO_CONTEXT;
  const path = pathFromTop(String(call.options.file), request.top, process.cwd());
  return joinOffers(formatFileIntro(path), selectForFile(store, request, path, known.whole));
}

const SHOWN_HOW = { full: 'in full', claims: 'claims', line: 'named' };

function show(call: Call, { text, tokens, shown }: Context): void {
  const { out, outFramed, paint } = call;
  outFramed(text);
  out('');
  out(paint.bold(`${formatCount(tokens, 'token')}, ${formatCount(text.length, 'character')}`));
  for (const { memoryId, how, tokens: cost, reasons } of shown) {
    const id = `#${memoryId}`.padStart(6);
    const what = SHOWN_HOW[how].padEnd(7);
    printRow(
      call,
      `${paint.bold(id)}  ${what}  ${String(cost).padStart(4)}  ${paint.dim(neutralize(toOneLine(reasons.join(', '))))}`,
    );
  }
}

function describeEmpty(source: InjectionSource): string {
  const why = {
    start: withCairnCommand(
      'There is nothing to give a new session in this project yet. See: cairn recent --all',
    ),
    prompt: withCairnCommand('No memory is relevant enough to this prompt. Search anyway: cairn search'),
    file: 'No memory about this file is worth its tokens.',
  };
  return why[source];
}
