import type { InstallPart } from '../../agents/install/agent-installer.ts';
import type { ApplyOptions, SettingsChange } from '../../agents/install/apply.ts';
import { type FileOutcome, installFiles, removeFiles } from '../../agents/install/marked-files.ts';
import { installParts, removeParts } from '../../agents/install/parts.ts';
import { unifiedDiff } from '../../agents/install/unified-diff.ts';
import { type Call, printJson } from './command.ts';
import type { InstallTarget } from './install-target.ts';

/** The changes that connect or disconnect an agent: made, or in a dry run only computed. */
export interface InstallPlan {
  parts: InstallPart[];
  /** One edit per file. */
  edits: SettingsChange[];
  /** The folder of the slash commands; null if the agent has none. */
  folder: string | null;
  files: FileOutcome[];
}

export function applyInstall(call: Call, target: InstallTarget, options: ApplyOptions): InstallPlan {
  const { parts, commands, owner } = listAll(call, target);
  return {
    parts,
    edits: installParts(parts, owner, options),
    folder: commands?.folder ?? null,
    files: commands ? installFiles(owner, commands.folder, commands.files, options) : [],
  };
}

/** In reverse order, which removes a folder created for several files along with the last one. */
export function applyUninstall(call: Call, target: InstallTarget, options: ApplyOptions): InstallPlan {
  const { parts, commands, owner } = listAll(call, target);
  const files = commands ? removeFiles(owner, commands.folder, options) : [];
  return { parts, edits: removeParts(parts, owner, options), folder: commands?.folder ?? null, files };
}

function listAll({ paths }: Call, { installer, place }: InstallTarget) {
  return {
    parts: installer.listParts(place),
    commands: installer.listCommands?.(place),
    owner: { agent: installer.id, recordFolder: paths.installed },
  };
}

export function changesAnything({ edits, files }: InstallPlan): boolean {
  return edits.some(({ changed }) => changed) || hasChangedFiles(files);
}

export function hasChangedFiles(files: FileOutcome[]): boolean {
  return files.some(({ before, after }) => before !== after);
}

/** The text of a part's file before or after the change. */
export function textOf(
  { edits }: InstallPlan,
  { path }: InstallPart,
  when: 'before' | 'after',
): string | null {
  return edits.find((edit) => edit.path === path)?.[when] ?? null;
}

/** `14 hooks to ~/.claude/settings.json` for each file that changes. */
export function describeChanges(plan: InstallPlan): string[] {
  const edits = plan.edits.filter(({ changed }) => changed);
  return [
    ...edits.map(({ path }) => `${joinWithAnd(changedLabels(plan, path))} to ${path}`),
    ...(hasChangedFiles(plan.files) ? [`slash commands to ${plan.folder}`] : []),
  ];
}

function changedLabels(plan: InstallPlan, path: string): string[] {
  const those = plan.parts.filter((part) => part.path === path);
  const labels = those.flatMap((part) => {
    const [before, after] = [
      part.inspect(textOf(plan, part, 'before')),
      part.inspect(textOf(plan, part, 'after')),
    ];
    if (before === after) return [];
    return [`${part.label}${after === 'shared' ? ' (yours stays and comes first)' : ''}`];
  });
  // An edit may change no part, for example if it removes only comments.
  return labels.length > 0 ? labels : those.slice(0, 1).map(({ label }) => label);
}

export function listChangedPaths({ edits, files, folder }: InstallPlan): string[] {
  const paths = edits.filter(({ changed }) => changed).map(({ path }) => path);
  return folder !== null && hasChangedFiles(files) ? [...paths, folder] : paths;
}

/** The output of a dry run: a diff for each file. */
export function showPlans(call: Call, targets: InstallTarget[], plans: InstallPlan[]): number {
  const changes = plans.flatMap(({ edits, files }) => [...edits, ...files]);
  const diffs = changes.map(({ path, before, after }) => unifiedDiff(path, before, after));
  const diff = diffs.filter((known) => known !== '').join('\n');
  const files = plans.flatMap(({ edits, folder }) => [
    ...edits.map(({ path }) => path),
    ...(folder === null ? [] : [folder]),
  ]);
  if (call.options.json) {
    const agents = targets.map(({ installer }) => installer.id);
    printJson(call, { agents, status: 'dry-run', files, changed: diff !== '', diff });
  } else call.out(diff || `Nothing to change in ${joinWithAnd(files)}.`);
  return 0;
}

/** Messages about files that were left unchanged. */
export function describeKeptFiles({ files }: InstallPlan): string[] {
  const why = {
    edited: 'was changed after Cairn wrote it, so it was left unchanged',
    foreign: 'was not written by Cairn, so it was left unchanged',
  };
  return files.flatMap(({ path, kept }) => (kept ? [`${path} ${why[kept]}.`] : []));
}

/** `a, b and c` */
export function joinWithAnd(parts: string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
