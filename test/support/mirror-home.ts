import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { MirrorOptions } from '../../src/continuity/mirror/mirror.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import type { NewNote } from '../../src/store/types/curation.ts';
import { openPlainStore, type PlainStore } from './plain-store.ts';
import { tempFolder } from './temp.ts';

/** A store whose work items are mirrored to files. */
export let store: PlainStore;
export let paths: Paths;
export let world: MirrorOptions;
export let projectId: number;
export const at = Date.UTC(2026, 2, 1, 12);

/** Creates a new store for each test of a file. */
export function useMirror(): void {
  beforeEach(() => {
    paths = pathsOf(join(tempFolder(), '.cairn'));
    store = openPlainStore(paths.database);
    const log = createLog({ folder: paths.logs, from: 'test' });
    world = { store, paths, log, now: () => at };
    projectId = store.projectFor({ name: 'orchard', path: '/orchard' }, { now: at }) ?? 0;
  });
  afterEach(() => store.close());
}

export const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH-abcdefgh';
export const TASK = { description: '', state: 'open', source: 'agent', key: null } as const;
export const NOTE: Omit<NewNote, 'title' | 'place'> = {
  type: null,
  narrative: '',
  aliases: [],
  files: [],
  pins: [],
  scope: 'project',
  saidBy: 'person',
  isPinned: false,
};

export interface State {
  title: string;
  name: string;
  mode: string;
  nextSteps: string;
  tasks: { number: number; state: string; subject: string }[];
  notes: unknown[];
  [field: string]: unknown;
}

export function open(name: string) {
  return store.addWorkItem({ name, title: name, projectId, branch: null, worktree: null, at });
}

/** A work item with tasks, a note, a plan, a git state and a handoff. */
export function graftPears() {
  const work = store.addWorkItem({
    name: 'graft-pears',
    title: 'Graft the pears',
    projectId,
    branch: 'main',
    worktree: null,
    at,
  });
  const workId = work.id;
  store.changeWorkItem(workId, { nextSteps: 'the last row' }, at);
  store.bindSession({ agent: 'claude-code', agentSession: 's-1', workId, by: 'new', at });
  store.addTask({ ...TASK, workId, subject: 'cut scions', state: 'done', at });
  store.addTask({ ...TASK, workId, subject: 'bind them', at });
  store.addWorkNote(workId, 'not when it rains', at);
  store.addPlan({ workId, text: '# Plan\n\n1. cut', hash: 'h', state: 'accepted', agentSession: 's-1', at });
  const git = { dirty: ['a'], moreDirty: 0 };
  store.saveGitState({ moment: 'handoff', agentSession: 's-1', workId, folder: '/orchard', state: git, at });
  const parts = {
    ...{ goal: 'pears', state: 'half done', note: '', decisions: [], deadEnds: [] },
    ...{ files: [], questions: [], nextSteps: [] },
  };
  const about = { tasks: [], plan: null, git: null, by: 'person', agentSession: null } as const;
  store.addHandoff({ workId, parts, ...about, tasks: [], at });
  return work;
}

export function stateOf(name: string): State {
  return JSON.parse(text(`${name}/state.json`));
}

export function text(name: string): string {
  return readFileSync(join(paths.works, name), 'utf8');
}

export function write(name: string, content: string): void {
  writeFileSync(join(paths.works, name), content);
}

export function files(name: string): string[] {
  return existsSync(join(paths.works, name)) ? readdirSync(join(paths.works, name)).sort() : [];
}
