import { formatDayAndTime, formatTimeWithSeconds } from '../../context/words.ts';
import { explainStoredTurn } from '../../distill/explain.ts';
import { shorten } from '../../model/shorten.ts';
import type { Store } from '../../store/store.ts';
import type { StoredEvent, StoredPrompt } from '../../store/types/event.ts';
import type { SessionDigest } from '../../store/types/session.ts';
import { type Call, printJson } from './command.ts';
import { printRow, printWrapped } from './rows.ts';

export function showSession(call: Call, store: Store, session: SessionDigest): number {
  const { prompts, events } = store.listSessionEvents(session.id);
  if (call.options.json) {
    printJson(call, { ...session, prompts, events });
    return 0;
  }
  const { paint, out } = call;
  printWrapped(
    call,
    paint.bold(`Session s${session.id} · ${session.project} · ${session.agent} ${session.agentSession}`),
    2,
  );
  printWrapped(call, paint.dim(`${formatDayAndTime(session.firstSeen)} – ${endOf(session)}`), 2);
  for (const { prompt, event } of inOrder(prompts, events.filter(isReported(events)))) {
    if (event) printRow(call, eventLine(call, event));
    if (!prompt) continue;
    out('');
    printWrapped(call, promptLine(call, prompt), 3);
  }
  return 0;
}

function endOf({ endedAt, endReason }: { endedAt: number | null; endReason: string | null }): string {
  return endedAt === null ? 'open' : `${formatDayAndTime(endedAt)} (${endReason})`;
}

/** Shows what the distiller did not keep of a session, and why. */
export function showDropped(call: Call, store: Store, session: SessionDigest): number {
  const turns = store
    .listTurnIds(session.id)
    .flatMap((id) => explainStoredTurn(store, call.paths, id) ?? [])
    .map(({ prompt, dropped }) => ({ prompt, dropped }));
  if (call.options.json) {
    printJson(call, { session: session.id, turns });
    return 0;
  }
  if (turns.every(({ dropped }) => dropped.length === 0)) {
    call.out(`Nothing of session s${session.id} was dropped, or its raw events are no longer kept.`);
    return 0;
  }
  for (const { prompt, dropped } of turns) {
    if (dropped.length === 0) continue;
    call.out(call.paint.bold(prompt === null ? 'Without a prompt' : `Prompt ${prompt}`));
    for (const { text, from, why } of dropped)
      printRow(call, `   ${shorten(text, 200)} ${call.paint.dim(`(${[from, ...why].join(': ')})`)}`);
  }
  return 0;
}

/** Leaves out the start of a call that has also ended: the end has more information. */
function isReported(events: StoredEvent[]): (event: StoredEvent) => boolean {
  const ended = new Set(
    events.flatMap(({ kind, callId }) => (kind === 'tool-end' && callId ? [callId] : [])),
  );
  return ({ kind, callId }) => kind !== 'tool-start' || callId === null || !ended.has(callId);
}

function inOrder(prompts: StoredPrompt[], events: StoredEvent[]) {
  const items: { at: number; prompt?: StoredPrompt; event?: StoredEvent }[] = [
    ...prompts.map((prompt) => ({ at: prompt.at, prompt })),
    ...events.map((event) => ({ at: event.at, event })),
  ];
  return items.sort((a, b) => a.at - b.at);
}

function promptLine({ paint }: Call, { number, text, origin, isPrivate }: StoredPrompt): string {
  if (isPrivate) return `${paint.bold(`${number}.`)} ${paint.dim('(private)')}`;
  return `${paint.bold(`${number}.`)} ${origin === 'machine' ? paint.dim(shorten(text, 200)) : shorten(text, 500)}`;
}

export function eventLine({ paint }: Call, event: StoredEvent): string {
  const time = paint.dim(formatTimeWithSeconds(event.at));
  const mark =
    event.outcome === 'failure' ? paint.red('✗') : event.outcome === 'refused' ? paint.yellow('⊘') : '·';
  const who = event.subagent ? paint.dim(` [${event.subagent}]`) : '';
  if (event.tool) return `   ${time} ${mark} ${event.tool}${who} ${paint.dim(describeEvent(event))}`;
  const words = event.text ? ` ${shorten(event.text, 200)}` : '';
  return `   ${time} ${mark} ${paint.cyan(event.kind)}${who}${words}`;
}

function describeEvent(event: StoredEvent): string {
  const [file] = event.files;
  if (file) return file.path;
  const input = JSON.stringify(event.input) ?? '';
  const command = /"command":("(?:[^"\\]|\\.)*")/.exec(input)?.[1];
  return shorten(command ? JSON.parse(command) : input, 120);
}
