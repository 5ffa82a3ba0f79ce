import { claudeCode } from '../agents/claude-code/adapter.ts';
import { checkoutOf } from '../capture/place.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { storedBranchOf, storedPlaceOf } from '../capture/stored-place.ts';
import { type Context, joined, NO_CONTEXT } from '../context/context.ts';
import { fileIntro, offersForFile, pathFromTop } from '../context/file.ts';
import { asContext } from '../context/given.ts';
import { isWorthLookingUp, offersForPrompt, PROMPT_INTRO } from '../context/prompt.ts';
import { type Scene, sceneAt } from '../context/scene.ts';
import { startContext } from '../context/start/start.ts';
import { counted } from '../context/words.ts';
import { workAtStart } from '../context/work/at-start.ts';
import { neutralize } from '../framing/neutralize.ts';
import { oneLine } from '../framing/stored-lines.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, printJson, UsageError } from './command.ts';
import { readIndexedMemory } from './read-memory.ts';

export const command: Command = {
  name: 'context',
  summary: 'Exactly what an agent would be given here now, what it costs and why',
  usage: 'context [--for start|prompt|file] [--prompt <text>] [--file <path>] [--session <id>] [--json]',
  help: 'Without --session it is what a new session gets; with it, without what that session was given already.\nNothing is noted down.',
  options: {
    for: { type: 'string' },
    prompt: { type: 'string' },
    file: { type: 'string' },
    session: { type: 'string' },
    json: { type: 'boolean' },
  },
  run(call) {
    const door = doorOf(call);
    const context = readIndexedMemory(call, (store) => contextFor(call, store, door));
    if (call.options.json) printJson(call, { for: door, ...forPrograms(context) });
    else if (context.text === '') call.out(nothingFor(door));
    else show(call, context);
    return 0;
  },
};

/** The lines are in the text. */
function forPrograms({ text, tokens, shown }: Context): Omit<Context, 'lines'> {
  return { text, tokens, shown };
}

type Door = 'start' | 'prompt' | 'file';

function doorOf({ options }: Call): Door {
  const given = (['prompt', 'file'] as const).filter((name) => options[name] !== undefined);
  const door = options.for ?? given[0] ?? 'start';
  if (door !== 'start' && door !== 'prompt' && door !== 'file')
    throw new UsageError('--for takes start, prompt or file.');
  if (door !== 'start' && options[door] === undefined)
    throw new UsageError(`Which ${door}? Give it with --${door}.`);
  if (given.some((name) => name !== door))
    throw new UsageError(`--for ${door} goes without --${given.find((name) => name !== door)}.`);
  return door;
}

function contextFor(call: Call, store: Store, door: Door): Context {
  const folder = process.cwd();
  const session = String(call.options.session ?? '');
  const checkout = checkoutOf(folder);
  const scene = sceneAt(
    store,
    { place: storedPlaceOf(folder, checkout), folder, checkout, branch: storedBranchOf(checkout) },
    {
      agent: claudeCode.id,
      agentSession: redactValue(session),
      settings: call.settings,
      longest: claudeCode.longestContext,
      now: call.now(),
    },
  );
  if (!scene) return NO_CONTEXT;
  if (door === 'start') return atStart(store, scene);
  const since = store.sessionTimes(session)?.compactedAt ?? 0;
  const known = session === '' ? new Set<number>() : store.knownTo(session, since);
  return door === 'prompt' ? withPrompt(call, store, scene, known) : beforeFile(call, store, scene, known);
}

function atStart(store: Store, scene: Scene): Context {
  const claim = (handoffId: number) => store.handoff(handoffId)?.state === 'staged';
  const work = workAtStart(store, scene, { source: 'startup', claim });
  const longest = Math.max(0, scene.longest - work.text.length - 1);
  return joined(work, startContext(store, { ...scene, longest }, { source: 'startup' }));
}

function withPrompt(call: Call, store: Store, scene: Scene, known: Set<number>): Context {
  const prompt = redactValue(String(call.options.prompt));
  if (call.settings['context.prompt'] === 'off' || !isWorthLookingUp(prompt)) return NO_CONTEXT;
  return asContext(PROMPT_INTRO, offersForPrompt(store, scene, prompt, known));
}

function beforeFile(call: Call, store: Store, scene: Scene, known: Set<number>): Context {
  if (call.settings['context.file'] === 'off') return NO_CONTEXT;
  const path = pathFromTop(String(call.options.file), scene.top, process.cwd());
  return asContext(fileIntro(path), offersForFile(store, scene, path, known));
}

function show({ out, outFramed, paint }: Call, { text, tokens, shown }: Context): void {
  outFramed(text);
  out('');
  out(paint.bold(`${counted(tokens, 'token')}, ${counted(text.length, 'character')}`));
  for (const { memoryId, how, tokens: cost, reasons } of shown) {
    const id = `#${memoryId}`.padStart(6);
    const what = (how === 'full' ? 'in full' : 'named').padEnd(7);
    out(
      `${paint.bold(id)}  ${what}  ${String(cost).padStart(4)}  ${paint.dim(neutralize(oneLine(reasons.join(', '))))}`,
    );
  }
}

function nothingFor(door: Door): string {
  const why = {
    start: 'There is nothing to tell a new session in this project yet. What there is: cairn recent --all',
    prompt: 'Nothing fits this prompt well enough to be given with it. To look all the same: cairn search',
    file: 'Nothing worth its tokens is known of this file.',
  };
  return why[door];
}
