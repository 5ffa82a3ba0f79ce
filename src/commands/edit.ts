import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { redactValue } from '../capture/redact/redact-value.ts';
import { editMemory } from '../curation/edit.ts';
import { formatForm, parseForm } from '../curation/edit-form.ts';
import { draftPath } from '../curation/forget.ts';
import { OBSERVATION_TYPES } from '../model/memory.ts';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { MemoryChange } from '../store/types/curation.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { type Call, type Command, CommandError, UsageError } from './support/command.ts';
import { listOption, parseType, withCuration } from './support/curation.ts';
import { parseMemoryNumber, requireMemory } from './support/numbers.ts';
import { choiceOption } from './support/usage.ts';

export const command: Command = {
  name: 'edit',
  summary: 'Edit a memory; distilling does not change it afterwards',
  usage: [
    'edit <memory number>        (in your editor)',
    'edit <memory number> [--title <text>] [--text <text>] [--type <type>] [--scope project|global] [--alias <word>]… [--add-fact <text>]…',
    'edit <memory number> --remove-alias <word>      (also one learned from a search)',
  ].join('\n'),
  help: [
    'Aliases and facts are added to the existing ones. The editor is $VISUAL, $EDITOR or vi.',
    `Types: ${OBSERVATION_TYPES.join(', ')}.`,
  ].join('\n'),
  options: {
    title: { type: 'string' },
    text: { type: 'string' },
    type: { type: 'string' },
    scope: { type: 'string' },
    alias: { type: 'string', multiple: true },
    'remove-alias': { type: 'string', multiple: true },
    'add-fact': { type: 'string', multiple: true },
  },
  words: 1,
  run(call) {
    const id = parseMemoryNumber(call);
    const unwanted = listOption(call.options['remove-alias']);
    if (unwanted.length > 0) removeAliases(call, id, unwanted);
    const change = changeFrom(call);
    if (!change && unwanted.length > 0) return 0;
    if (!change && !call.isTerminal)
      throw new UsageError('Missing change: give an option. An editor is opened only on a terminal.');
    if (!change) return editInEditor(call, id);
    withCuration(call, (options) => editMemory(options, id, change(requireMemory(options.store, id))));
    call.out(`Changed #${id}.`);
    return 0;
  },
};

/** Removes aliases that a person added, and those learned from searches. */
function removeAliases(call: Call, id: number, unwanted: string[]): void {
  withCuration(call, (options) => {
    const { store } = options;
    for (const word of unwanted) {
      const { aliases } = requireMemory(store, id);
      const left = aliases.filter((alias) => alias.toLowerCase() !== word.toLowerCase());
      const all = [...aliases, ...store.listLearntAliases(id)];
      if (!store.removeLearntAlias(id, word) && left.length === aliases.length)
        return { problem: `#${id} has no alias "${word}". It has: ${all.join(', ') || 'none'}.` };
      if (left.length < aliases.length) editMemory(options, id, { aliases: left });
    }
    return null;
  });
  call.out(`#${id} is no longer found by: ${unwanted.join(', ')}.`);
}

/** Null if no option requests a change. */
function changeFrom({ options }: Call): ((memory: StoredMemory) => MemoryChange) | null {
  const { title, text } = options;
  const type = parseType(options.type);
  const [aliases, facts] = [listOption(options.alias), listOption(options['add-fact'])];
  const scope =
    options.scope === undefined ? undefined : choiceOption('scope', options.scope, ['project', 'global']);
  if ([title, text, type, scope, ...aliases, ...facts].every((value) => value === undefined)) return null;
  return (memory) => ({
    ...(typeof title === 'string' && { title }),
    ...(typeof text === 'string' && { narrative: text }),
    ...(type && { type }),
    ...(scope && { scope }),
    ...(aliases.length > 0 && { aliases: [...memory.aliases, ...aliases] }),
    ...(facts.length > 0 && { facts: [...memory.facts, ...facts] }),
  });
}

/** On any error the person's text stays in the draft file, and the next call continues with it. */
function editInEditor(call: Call, id: number): number {
  const { out, env, paths } = call;
  const memory = withCuration(call, ({ store }) => requireMemory(store, id));
  const draft = draftPath({ paths }, id);
  if (readIfThere(draft) === null) writeAtomically(draft, formatForm(memory));
  else out('Continuing your unsaved edit.');
  const editor = env.editor ?? 'vi';
  const status = runEditor(editor, draft);
  const text = readIfThere(draft);
  if (text === null || text === formatForm(memory)) {
    rmSync(draft, { force: true });
    out('Nothing was changed.');
    return 0;
  }
  const refuse = (problem: string): never => {
    // The draft may stay on disk for long, so secrets are redacted.
    writeAtomically(draft, redactValue(text));
    throw new CommandError(
      `${problem} Nothing was changed; your text is kept in ${draft}. Continue: cairn edit ${id}`,
    );
  };
  if (status !== 0) refuse(`${editor} exited with code ${status}.`);
  const change = parseForm(text, memory);
  if ('problem' in change) return refuse(change.problem);
  const trouble = withCuration(call, (options) => ({ found: editMemory(options, id, change) })).found;
  if (trouble) return refuse(trouble.problem);
  rmSync(draft, { force: true });
  out(`Changed #${id}.`);
  return 0;
}

/** $EDITOR may be a command line with options, so the shell splits it. */
function runEditor(editor: string, file: string): number | null {
  if (process.platform === 'win32')
    return spawnSync(`${editor} "${file}"`, { shell: true, stdio: 'inherit' }).status;
  return spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' }).status;
}
