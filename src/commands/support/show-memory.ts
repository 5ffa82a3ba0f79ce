import { describeAuthor } from '../../context/colleagues.ts';
import { formatDayAndTime } from '../../context/words.ts';
import { type ExplainedSentence, explainStoredTurn } from '../../distill/explain.ts';
import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { type Call, CommandError, printJson } from './command.ts';
import { printRow, showLineBreaks } from './rows.ts';
import { eventLine } from './show-session.ts';

/** Shows a memory with its sources, down to the tool calls. */
export function showMemory(call: Call, store: Store, id: number): number {
  const memory = store.getMemory(id);
  if (!memory) throw new CommandError(`There is no memory ${id}. See: cairn recent --all`);
  const source = store.listMemoryEvents(id);
  const sentences = findSentences(call, store, memory);
  const learntAliases = store.listLearntAliases(id);
  if (call.options.json) {
    printJson(call, { ...memory, learntAliases, source, sentences });
    return 0;
  }
  const { paint, out } = call;
  printMemoryText(call, memory, { name: `#${memory.id}`, origin: [] });
  if (learntAliases.length) out(`${paint.cyan('learnt')}  ${learntAliases.join(', ')} (from searches)`);
  if (sentences.length) out(paint.dim('Sentences it comes from:'));
  for (const { text, from, why } of sentences)
    out(`  - ${text} ${paint.dim(`(${[from, ...why].join(', ')})`)}`);
  if (source.length) out(paint.dim('From:'));
  for (const event of source)
    printRow(
      call,
      event.input === null ? paint.dim('   (its raw event is no longer kept)') : eventLine(call, event),
    );
  return 0;
}

/** Prints the text of a memory. `origin` says what else is known about its source. */
export function printMemoryText(
  { paint, out }: Pick<Call, 'paint' | 'out'>,
  memory: StoredMemory,
  { name, origin }: { name: string; origin: string[] },
): void {
  out(paint.bold(`${name} ${memory.type ?? memory.kind}: ${memory.title}`));
  out(paint.dim([describeOrigin(memory), ...origin].join(' · ')));
  if (memory.supersededBy) out(paint.yellow(`Replaced by #${memory.supersededBy}`));
  for (const text of [memory.subtitle, memory.narrative]) if (text) out(text);
  for (const fact of memory.facts) out(`  - ${fact}`);
  for (const [part, text] of partsOf(memory)) if (text) out(`${paint.cyan(part)}  ${text}`);
  if (memory.filesModified.length)
    out(`${paint.cyan('changed')}  ${showLineBreaks(memory.filesModified.join(', '))}`);
  if (memory.filesRead.length) out(`${paint.cyan('read')}  ${showLineBreaks(memory.filesRead.join(', '))}`);
  if (memory.concepts.length) out(paint.dim(memory.concepts.join(' · ')));
  if (memory.aliases.length) out(`${paint.cyan('aliases')}  ${memory.aliases.join(', ')}`);
}

/** The sentences of the turn that the offline distiller kept for this memory, while the raw events exist. */
function findSentences(call: Call, store: Store, memory: StoredMemory): ExplainedSentence[] {
  if (memory.turnId === null || memory.distiller !== 'offline') return [];
  const kept = explainStoredTurn(store, call.paths, memory.turnId)?.kept ?? [];
  const own = [memory.title, ...memory.facts, ...partsOf(memory).map(([, text]) => text)].join('\n');
  return kept.filter(({ text }) => own.includes(text) || memory.title === text.replace(/[.。]$/, ''));
}

function describeOrigin(memory: StoredMemory): string {
  const parts = [
    memory.scope === 'global' ? 'every project' : memory.project,
    formatDayAndTime(memory.at),
    memory.sessionId !== null && `session s${memory.sessionId}`,
    memory.prompt !== null && `prompt ${memory.prompt}`,
    memory.branch && `branch ${memory.branch}`,
    memory.commit && `at ${memory.commit.slice(0, 10)}`,
    memory.distiller,
    memory.author !== null && describeAuthor(memory.author),
    memory.strength > 1 && `met ${memory.strength} times`,
    memory.pinnedAt !== null && 'pinned',
  ];
  return parts.filter(Boolean).join(' · ');
}

function partsOf({ parts }: StoredMemory): [string, string][] {
  if (!parts) return [];
  const { request, investigated, learned, completed, nextSteps, notes } = parts;
  return Object.entries({ request, investigated, learned, completed, 'next steps': nextSteps, notes });
}
