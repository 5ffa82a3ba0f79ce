import { formatAge, formatCount } from '../context/words.ts';
import { type ForgetRequest, type ForgetResult, forgetEverywhere, hasMissing } from '../curation/forget.ts';
import { emptyTrash, findInTrash, restoreFromTrash } from '../curation/trash.ts';
import { shorten } from '../model/shorten.ts';
import { withCairnCommand } from '../platform/cairn-command.ts';
import type { ForgetTargets, TrashEntry } from '../store/types/curation.ts';
import { confirmLoss } from './support/ask.ts';
import { type Call, type Command, CommandError, printJson, UsageError } from './support/command.ts';
import { withCuration } from './support/curation.ts';
import { printRow } from './support/rows.ts';
import { requireArgument } from './support/usage.ts';

export const command: Command = {
  name: 'forget',
  summary: 'Delete memories, prompts or sessions; --undo restores them for a few days',
  usage: [
    'forget <memory number>… | p<prompt number>… | s<session number>… [--with-source] [--now] [--dry-run] [--yes] [--json]',
    'forget --undo [<the same numbers>] [--json]',
  ].join('\n'),
  help: [
    'Other memories of the same turn lose the sentences that say the same, and so do work items, plans, tasks and handoffs.',
    'Forgotten memories stay in the trash for 7 days (forget.undoDays), then every byte of them is deleted.',
    '  --with-source  also delete the content of its raw events and prompts, and everything else that mentions it',
    '  --now          delete at once, without trash; also deletes it from the trash',
    '  --undo         restore it from the trash; without numbers: list the trash',
    '  --dry-run      show what would be removed',
    '  --yes          do not ask; required without a terminal',
    'After --undo, add it to folder notes again with: cairn notes',
  ].join('\n'),
  options: {
    'with-source': { type: 'boolean' },
    now: { type: 'boolean' },
    undo: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    json: { type: 'boolean' },
  },
  words: Number.POSITIVE_INFINITY,
  async run(call) {
    if (call.options.undo) return undo(call);
    const request = requestFrom(call);
    const planned = forgetNow(call, { ...request, isDryRun: true });
    if (call.options['dry-run']) {
      print(call, planned, { isDryRun: true, request });
      return 0;
    }
    const question = `Forget ${describe(planned)}${request.isUndoable ? '' : ' for good'}?`;
    if (!(await confirmLoss(call, question))) return 1;
    print(call, forgetNow(call, request), { isDryRun: false, request });
    return 0;
  },
};

function forgetNow(call: Call, request: ForgetRequest): ForgetResult {
  // This takes some seconds in a large memory.
  if (call.isTerminal && !call.options.json) call.err('Searching everything that is stored …');
  return withCuration(call, (options) => {
    const { memories, prompts, sessions } = request;
    // Entries in the trash can only be deleted permanently.
    const { entries, missing } = request.isUndoable
      ? { entries: [], missing: { memories, prompts, sessions } }
      : findInTrash(options, { memories, prompts, sessions });
    const forgotten = forgetEverywhere(options, { ...request, ...missing });
    if (hasMissing(forgotten)) throw new CommandError(missingIn(forgotten));
    const inTrash = entries.flatMap((entry) => entry.memories);
    if (request.isDryRun) return { ...forgotten, memories: [...inTrash, ...forgotten.memories] };
    const { hasRemains } = emptyTrash(options, entries);
    return {
      ...forgotten,
      memories: [...inTrash, ...forgotten.memories],
      hasRemains: forgotten.hasRemains || hasRemains,
    };
  });
}

function undo(call: Call): number {
  const targets = targetsFrom(call);
  const { out, now, paint } = call;
  if (call.positionals.length === 0) {
    const entries = withCuration(call, ({ store }) => store.listTrash());
    if (call.options.json) printJson(call, entries.map(withoutTexts));
    else if (entries.length === 0) out('The trash is empty.');
    for (const entry of call.options.json ? [] : entries)
      printRow(
        call,
        `${namesOf(entry).join(' ')}  ${paint.dim(formatAge(entry.at, now()))}  ${titlesOf(entry)}`,
      );
    return 0;
  }
  const entries = withCuration(call, (options) => {
    const found = findInTrash(options, targets);
    const names = namesOf({ targets: found.missing, memories: [] });
    if (names.length > 0)
      return {
        problem: `Not in the trash: ${names.join(', ')}. Nothing was changed. List the trash: cairn forget --undo`,
      };
    restoreFromTrash(options, found.entries);
    return found.entries;
  });
  if (call.options.json) printJson(call, entries.map(withoutTexts));
  else for (const entry of entries) out(`Brought back: ${namesOf(entry).join(', ')}.`);
  return 0;
}

function withoutTexts({ id, at, targets, memories }: TrashEntry) {
  return { id, at: new Date(at).toISOString(), targets, memories };
}

function namesOf({ targets, memories }: Pick<TrashEntry, 'targets' | 'memories'>): string[] {
  return [
    ...new Set([...targets.memories, ...memories.map(({ id }) => id)].map((id) => `#${id}`)),
    ...targets.prompts.map((id) => `p${id}`),
    ...targets.sessions.map((id) => `s${id}`),
  ];
}

function titlesOf({ memories }: TrashEntry): string {
  return memories.map(({ title }) => shorten(title, 60)).join(' · ');
}

function requestFrom(call: Call): ForgetRequest {
  const { positionals, options, settings } = call;
  requireArgument(positionals[0], 'memory, prompt or session', 'See: cairn recent');
  return {
    ...targetsFrom(call),
    withSource: options['with-source'] === true,
    isUndoable: !options.now && settings['forget.undoDays'] > 0,
  };
}

function targetsFrom({ positionals }: Call): ForgetTargets {
  const targets: ForgetTargets = { memories: [], prompts: [], sessions: [] };
  const lists = { '': targets.memories, '#': targets.memories, p: targets.prompts, s: targets.sessions };
  for (const word of new Set(positionals)) {
    const [, kind = '', number] = /^([#ps]?)(\d{1,15})$/.exec(word) ?? [];
    if (!number) throw new UsageError(`Not a memory (12), prompt (p34) or session (s5): ${word}.`);
    lists[kind as keyof typeof lists].push(Number(number));
  }
  return targets;
}

function missingIn({ missing: { memories, prompts, sessions } }: ForgetResult): string {
  const names = [
    ...memories.map((id) => `memory ${id}`),
    ...prompts.map((id) => `prompt p${id}`),
    ...sessions.map((id) => `session s${id}`),
  ];
  return `There is no ${names.join(', no ')}. Nothing was forgotten. See: cairn recent --all`;
}

function print(
  call: Call,
  forgotten: ForgetResult,
  { isDryRun, request }: { isDryRun: boolean; request: ForgetRequest },
): void {
  if (call.options.json) {
    printJson(call, forgotten);
    return;
  }
  const { out, err, settings } = call;
  out(`${isDryRun ? 'Would forget' : 'Forgot'}: ${describe(forgotten)}.`);
  if (!isDryRun && request.isUndoable) {
    const names = namesOf({ targets: request, memories: [] }).map((name) => name.replace('#', ''));
    out(
      withCairnCommand(
        `Undo within ${formatCount(settings['forget.undoDays'], 'day')}: cairn forget --undo ${names.join(' ')}`,
      ),
    );
  }
  const { keptEvents, files, notes, hasRemains } = forgotten;
  if (keptEvents > 0)
    out(
      `${formatCount(keptEvents, 'raw event')} it was made from ${keptEvents === 1 ? 'is kept. Delete it' : 'are kept. Delete them'} too: --with-source`,
    );
  for (const { path, problem } of notes) if (problem) err(`${path} may still contain it: ${problem}`);
  for (const name of files.holding) err(`${name} also contains it and was not changed.`);
  if (hasRemains)
    err(
      withCairnCommand(
        'The database could not be rewritten: parts of it may remain in its files. Details: cairn logs',
      ),
    );
}

function describe(forgotten: ForgetResult): string {
  const { memories, trimmed, prompts, events, injections, works, logLines, files, notes } = forgotten;
  const parts = [
    ...memories.map(({ id, kind }) => `${kind === 'observation' ? 'memory' : kind} ${id}`),
    ...trimmed.map(({ id, kind, sentences }) => `${formatCount(sentences, 'sentence')} in ${kind} ${id}`),
    prompts > 0 && formatCount(prompts, 'prompt'),
    events > 0 && formatCount(events, 'raw event'),
    injections > 0 && `${formatCount(injections, 'record')} of giving it to an agent`,
    works > 0 && `what ${formatCount(works, 'work item')} said about it`,
    logLines > 0 && formatCount(logLines, 'log line'),
    ...files.removed,
    ...notes.flatMap(({ path, problem }) => (problem ? [] : [`the notes in ${path}`])),
  ];
  return parts.filter(Boolean).join(', ') || 'nothing, there are no memories of it';
}
