import { relative } from 'node:path';
import { unifiedDiff } from '../agents/install/unified-diff.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { GitError } from '../context/notes/git-paths.ts';
import { cleanNotes, writeNotes } from '../context/notes/notes.ts';
import type { NoteOutcome } from '../context/notes/update-folder.ts';
import { formatCount } from '../context/words.ts';
import { locate } from '../memory/locate.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { Store } from '../store/store.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';
import { withMemory } from './support/memory.ts';

export const command: Command = {
  name: 'notes',
  summary: 'Write folder notes into CLAUDE.md or AGENTS.md files',
  usage: 'notes [--clean] [--dry-run] [--json]',
  help: [
    "Covers the folders below the top of this checkout; text outside Cairn's tags is not changed.",
    '--clean removes the notes everywhere in the project, and files that are then empty.',
    '--dry-run shows what would change.',
    'Update them automatically: cairn config set notes.auto on',
  ].join('\n'),
  options: { clean: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  run(call) {
    const outcomes = withMemory(call, (store) => settle(call, store));
    if (call.options.json) printJson(call, outcomes.map(asJson));
    else show(call, outcomes);
    return outcomes.some(({ problem }) => problem !== undefined) ? 1 : 0;
  },
};

function settle({ options, settings }: Call, store: Store): NoteOutcome[] {
  const { project, top } = locate(store, process.cwd());
  const isDryRun = options['dry-run'] === true;
  try {
    if (options.clean) return cleanNotes(store, { top, projectId: project?.id ?? null }, isDryRun);
    if (!project) return [];
    return writeNotes(
      store,
      { top, projectId: project.id },
      { rows: settings['notes.rows'], redact: redactValue, isDryRun },
    );
  } catch (error) {
    if (error instanceof GitError) throw new CommandError(error.message);
    throw error;
  }
}

function show(call: Call, outcomes: NoteOutcome[]): void {
  const { out, err, options, paint } = call;
  const changed = outcomes.filter((outcome) => changeOf(outcome) !== 'unchanged' && !outcome.problem);
  for (const outcome of changed) {
    const path = shown(outcome.path);
    if (!options['dry-run']) out(`${changeOf(outcome).padEnd(7)} ${path}`);
    else out(unifiedDiff(path, textOf(outcome.before), textOf(outcome.after)));
  }
  for (const { path, problem } of outcomes) if (problem) err(`${shown(path)}: ${problem}`);
  const same = outcomes.length - changed.length - outcomes.filter(({ problem }) => problem).length;
  if (changed.length === 0) out(describeNoChange(call, same));
  if (options.clean && !options['dry-run'] && call.settings['notes.auto'] === 'on')
    out(
      paint.yellow(
        withCairnCommand(
          'They come back after the next turn: notes.auto is on. Turn it off: cairn config unset notes.auto',
        ),
      ),
    );
}

function describeNoChange({ options }: Call, same: number): string {
  if (options.clean) return 'There are no folder notes in this project.';
  if (same > 0) return `${formatCount(same, 'note')} up to date, nothing to change.`;
  return 'There are no folder notes to write: no memory is about a file in a folder of this project.';
}

type Change = 'new' | 'changed' | 'removed' | 'unchanged';

function changeOf({ before, after }: NoteOutcome): Change {
  if (before === null) return after === null ? 'unchanged' : 'new';
  if (after === null) return 'removed';
  return before.equals(after) ? 'unchanged' : 'changed';
}

function asJson(outcome: NoteOutcome) {
  const { path, problem } = outcome;
  return problem === undefined ? { path, change: changeOf(outcome) } : { path, problem };
}

function textOf(bytes: Buffer | null): string | null {
  return bytes?.toString('utf8') ?? null;
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}
