import { setTimeout as wait } from 'node:timers/promises';
import type { StoredMemory } from '../../store/types/memory.ts';
import { findRunningWorker, requestStop } from '../../worker/worker-note.ts';
import type { Call } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { wrap } from './layout.ts';

const PATIENCE_MS = 20_000;

/** Shows the memories that the worker made from the turns. */
export async function showNewMemories({ out, paint, now }: Call, memory: Call): Promise<void> {
  for (const end = now() + PATIENCE_MS; now() < end; await wait(100)) {
    const { waitingJobs, openTurns, turns } = withMemory(memory, (store) => store.countEverything());
    if (turns > 0 && waitingJobs + openTurns === 0) break;
  }
  const memories = withMemory(memory, (store) => store.listRecentMemories({ limit: 20 })).reverse();
  for (const learnt of memories.filter(({ kind }) => kind === 'observation')) {
    out(`  ${paint.cyan(`#${learnt.id} ${learnt.type}`)}  ${paint.bold(learnt.title)}`);
    for (const fact of learnt.facts) out(wrap(`- ${fact}`, '      '));
  }
  const last = memories.findLast(({ kind }) => kind === 'summary');
  if (last) showSummary({ out, paint }, last);
  out(paint.dim('  Made without a model; with one they get better (docs/distilling.md).'));
}

function showSummary({ out, paint }: Pick<Call, 'out' | 'paint'>, { id, parts }: StoredMemory): void {
  if (!parts) return;
  const { request, completed, learned, nextSteps } = parts;
  out(`  ${paint.cyan(`#${id} summary`)}  of the last turn`);
  for (const [name, text] of Object.entries({ request, learned, completed, 'next steps': nextSteps }))
    if (text) out(wrap(`${name}: ${text}`, '      '));
}

/** Stops the worker, which would otherwise stay for another minute. */
export async function endWorker({ paths, now }: Call): Promise<void> {
  for (const end = now() + PATIENCE_MS; findRunningWorker(paths) && now() < end; await wait(50))
    requestStop(paths);
}
