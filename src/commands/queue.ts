import { when } from '../context/words.ts';
import { shorten } from '../model/shorten.ts';
import type { Job } from '../store/queue-store.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './command.ts';
import { withMemory } from './memory.ts';
import { nearest } from './nearest.ts';
import { readMemory } from './read-memory.ts';

export const command: Command = {
  name: 'queue',
  summary: 'Work that waits for the worker: list it, try it again, drop it',
  usage: 'queue [list] [--json]\nqueue retry <number> | all\nqueue drop <number> | dead',
  options: { json: { type: 'boolean' } },
  words: 2,
  run(call) {
    const [action = 'list', which] = call.positionals;
    if (action === 'list') return readMemory(call, (store) => list(call, store.listJobs()));
    return withMemory(call, (store) => {
      switch (action) {
        case 'retry':
          return said(call, store.retryJobs(jobs(which, 'all')), 'again to do');
        case 'drop':
          return said(call, store.dropJobs(jobs(which, 'dead')), 'dropped; what was captured stays');
        default: {
          const meant = nearest(action, ['list', 'retry', 'drop']);
          throw new UsageError(`"cairn queue" cannot ${action}.${meant ? ` Did you mean ${meant}?` : ''}`);
        }
      }
    });
  },
};

function jobs<W extends string>(which: string | undefined, word: W): number | W {
  if (which === word) return word;
  const id = Number(which);
  if (!Number.isInteger(id) || id < 1) throw new UsageError(`Which one? Give its number, or "${word}".`);
  return id;
}

function list(call: Call, waiting: Job[]): number {
  if (call.options.json) printJson(call, waiting);
  else if (waiting.length === 0) call.out('Nothing waits.');
  else for (const job of waiting) call.out(line(call, job));
  return 0;
}

function line({ paint, now }: Call, job: Job): string {
  const state = job.state === 'dead' ? paint.red('dead   ') : job.state.padEnd(7);
  const due =
    job.state === 'waiting' && job.notBefore > now()
      ? paint.dim(` tried again at ${clock(job.notBefore)}`)
      : '';
  const error = job.error ? ` ${paint.yellow(shorten(job.error, 100))}` : '';
  const age = paint.dim(when(job.createdAt, now()));
  return `${String(job.id).padStart(5)}  ${state} ${job.priority.padEnd(6)} ${job.kind} of turn ${job.turnId}  ${age}${due}${error}`;
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

function said(call: Call, count: number, what: string): number {
  if (count === 0) throw new CommandError('There is no such job. See: cairn queue list');
  call.out(`${count} ${count === 1 ? 'job' : 'jobs'} ${what}.`);
  return 0;
}
