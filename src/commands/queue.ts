import { formatAge, formatTimeWithSeconds } from '../context/words.ts';
import { shorten } from '../model/shorten.ts';
import type { Job } from '../store/types/job.ts';
import { confirmLoss } from './support/ask.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { readMemory, withMemory } from './support/memory.ts';
import { printRow } from './support/rows.ts';
import { selectSubcommand } from './support/usage.ts';

export const command: Command = {
  name: 'queue',
  summary: 'List, retry and drop background jobs',
  usage: 'queue [list] [--json]\nqueue retry <number> | all\nqueue drop <number> | dead [--yes]',
  options: { json: { type: 'boolean' }, yes: { type: 'boolean', short: 'y' } },
  words: 2,
  run(call) {
    const [action = 'list', which] = call.positionals;
    return selectSubcommand({ list, retry, drop }, action)(call, which);
  },
};

function retry(call: Call, which: string | undefined): number {
  const selection = jobs(which, 'all');
  return withMemory(call, (store) => printCount(call, store.retryJobs(selection), 'queued again'));
}

async function drop(call: Call, which: string | undefined): Promise<number> {
  const selection = jobs(which, 'dead');
  if (!(await confirmLoss(call, dropQuestion(selection)))) return 1;
  return withMemory(call, (store) =>
    printCount(call, store.dropJobs(selection), 'dropped; captured events are kept'),
  );
}

function dropQuestion(which: number | 'dead'): string {
  const what = which === 'dead' ? 'all dead jobs' : `job ${which}`;
  return `Drop ${what}? Their turns do not become memories.`;
}

function jobs<W extends string>(which: string | undefined, word: W): number | W {
  if (which === word) return word;
  const id = Number(which);
  if (!Number.isInteger(id) || id < 1) throw new UsageError(`Missing job: give its number, or "${word}".`);
  return id;
}

function list(call: Call): number {
  const waiting = readMemory(call, (store) => store.listJobs());
  if (call.options.json) printJson(call, waiting);
  else if (waiting.length === 0) call.out('The queue is empty.');
  else for (const job of waiting) printRow(call, line(call, job));
  return 0;
}

function line({ paint, now }: Call, job: Job): string {
  const state = job.state === 'dead' ? paint.red('dead   ') : job.state.padEnd(7);
  const due =
    job.state === 'waiting' && job.notBefore > now()
      ? paint.dim(` tried again at ${formatTimeWithSeconds(job.notBefore)}`)
      : '';
  const error = job.error ? ` ${paint.yellow(shorten(job.error, 100))}` : '';
  const age = paint.dim(formatAge(job.createdAt, now()));
  return `${String(job.id).padStart(5)}  ${state} ${job.priority.padEnd(6)} ${job.kind} of turn ${job.turnId}  ${age}${due}${error}`;
}

function printCount(call: Call, count: number, what: string): number {
  if (count === 0) throw new CommandError('There is no such job. See: cairn queue list');
  call.out(`${count} ${count === 1 ? 'job' : 'jobs'} ${what}.`);
  return 0;
}
