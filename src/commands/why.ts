import { describeAuthor } from '../context/colleagues.ts';
import { readStory, type Story } from '../context/story.ts';
import { formatDayAndTime } from '../context/words.ts';
import { shorten } from '../model/shorten.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import { findCheckout } from '../platform/git/checkout.ts';
import type { MemoryHistory } from '../store/types/curation.ts';
import type { Injection } from '../store/types/injection.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type { EarlierText } from '../store/types/team.ts';
import { type Call, type Command, printJson } from './support/command.ts';
import { readMemory } from './support/memory.ts';
import { parseMemoryNumber, requireMemory } from './support/numbers.ts';
import { printRow, printWrapped } from './support/rows.ts';
import { eventLine } from './support/show-session.ts';

export const command: Command = {
  name: 'why',
  summary: 'Explain a memory: its sources, its history and which sessions got it',
  usage: 'why <memory number> [--json]',
  options: { json: { type: 'boolean' } },
  words: 1,
  run(call) {
    const id = parseMemoryNumber(call);
    return readMemory(call, (store) => {
      const folder = process.cwd();
      const story = readStory(store, requireMemory(store, id), findCheckout(folder)?.top ?? folder);
      const item = store.findTeamItem('memory', id);
      const earlier = item ? store.listEarlierTexts(item.item).map(describeEarlier) : [];
      if (call.options.json) printJson(call, { ...story, ...(earlier.length > 0 && { earlier }) });
      else print(call, story, earlier);
      return 0;
    });
  },
};

/** A text replaced by another member's edit or by a later one. */
interface EarlierVersion {
  by: string | null;
  title: string;
  narrative: string;
}

function describeEarlier({ author, text }: EarlierText): EarlierVersion {
  const { title, narrative } = JSON.parse(text);
  return { by: author, title, narrative };
}

function print(
  call: Call,
  { memory, history, source, freshness, injections, contexts }: Story,
  earlier: EarlierVersion[],
): void {
  const { paint } = call;
  const row = (name: string, text: string | false | null | undefined) => {
    if (text) printWrapped(call, `  ${paint.cyan(name.padEnd(9))} ${text}`, 12);
  };
  printWrapped(call, paint.bold(`#${memory.id} ${memory.type ?? memory.kind}: ${memory.title}`), 2);
  row('from', origin(memory, history));
  row('asked', history.prompt && `“${shorten(history.prompt, 200)}”`);
  row('made by', describeOrigin(memory));
  row('changed', changed(memory));
  row('again', describeRepeats(memory, history));
  row('replaced', history.replaced.map((id) => `#${id}`).join(', '));
  row('now', memory.supersededBy !== null && `replaced by #${memory.supersededBy}`);
  for (const { by, title, narrative } of earlier)
    row(
      'earlier',
      `${by === null ? 'you' : by}: ${shorten([title, narrative].filter(Boolean).join(' · '), 300)}`,
    );
  row('files', freshness);
  if (source.length > 0) row('calls', String(source.length));
  for (const event of source)
    printRow(
      call,
      event.input === null ? paint.dim('   (its raw event is no longer kept)') : eventLine(call, event),
    );
  row('given', injections.length === 0 ? 'to no agent yet' : `to agents ${injections.length} ×`);
  for (const injection of injections) printRow(call, `   ${formatInjection(injection)}`);
  const [latest] = contexts;
  if (latest)
    row('text', withCairnCommand(`the last time, word for word: cairn context --given ${latest.id}`));
}

function origin(
  { project, at, sessionId, prompt, branch, commit, author }: StoredMemory,
  history: MemoryHistory,
): string {
  const parts = [
    project ?? 'no project',
    formatDayAndTime(at),
    author !== null && describeAuthor(author),
    sessionId !== null && `session s${sessionId}${history.agent ? ` of ${history.agent}` : ''}`,
    prompt !== null && `prompt ${prompt}`,
    branch && `branch ${branch}`,
    commit && `at ${commit.slice(0, 10)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function describeOrigin({ distiller, saidBy, origin, scope }: StoredMemory): string {
  const who = distiller === 'hand' ? `hand, by the ${saidBy}` : `the distiller ${distiller}`;
  return [who, origin && `imported as ${origin}`, scope === 'global' && 'applies in every project']
    .filter(Boolean)
    .join(' · ');
}

function changed({ editedAt, pinnedAt, mergedAt }: StoredMemory): string {
  const parts = [
    editedAt !== null && `edited ${formatDayAndTime(editedAt)}`,
    pinnedAt !== null && `pinned ${formatDayAndTime(pinnedAt)}`,
    mergedAt !== null && `its branch was merged by ${formatDayAndTime(mergedAt)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function describeRepeats({ strength }: StoredMemory, { repeatedIn }: MemoryHistory): string {
  if (strength === 1) return '';
  const turns = repeatedIn.map(
    ({ sessionId, prompt }) => `s${sessionId}${prompt === null ? '' : ` prompt ${prompt}`}`,
  );
  return [`met ${strength} times`, ...turns].join(' · ');
}

function formatInjection({ agent, agentSession, source, tokens, reason, at }: Injection): string {
  const when = {
    start: 'at the start',
    prompt: 'with a prompt',
    file: 'before a read',
    mcp: 'when it asked',
  };
  return `${formatDayAndTime(at)} ${when[source]} of ${agent} ${agentSession} · ${tokens} tokens · ${reason}`;
}
