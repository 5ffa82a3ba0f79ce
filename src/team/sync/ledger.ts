import { createHash, randomUUID } from 'node:crypto';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { tokenise } from '../../indexing/tokenise.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import type { SharedText, Team, TeamProject } from '../../store/types/team.ts';
import type { Aspect } from '../feed.ts';
import { digestChange } from './digest.ts';
import { nextStamp } from './hybrid-clock.ts';
import { findTops, type MachinePaths, stripPaths } from './machine-paths.ts';
import { type ChangeValue, encodePayload, fingerprint } from './payload.ts';
import { hashToken } from './token-hash.ts';

export interface TeamOptions {
  store: Store;
  log: Log;
  now: () => number;
  /** See `findRoots`. */
  roots: ReadonlySet<string>;
}

/** Further words of a text add little to a search. */
const MOST_TOKENS = 400;
/** The middle of longer texts is cut out. */
const LONGEST_TEXT = 32_000;

/** Adds this home's changes to the outbox, within one transaction. `close` saves stamps and numbers. */
export interface Ledger {
  team: Team;
  projects: Map<number, TeamProject>;
  /** Adds a change of this home and updates its register. */
  record(item: { item: string; projectId: number }, change: ChangeValue): void;
  recordDeletion(item: { item: string; projectId: number }): void;
  close(): void;
}

export function openLedger(options: TeamOptions): Ledger | null {
  const team = options.store.getTeam();
  return team && createLedger(options, team);
}

function createLedger({ store, now, roots }: TeamOptions, team: Team): Ledger {
  const projects = new Map(store.listTeamProjects().map((project) => [project.projectId, project]));
  const machines = new Map<number, MachinePaths>();

  function machineOf(projectId: number): MachinePaths {
    const known = machines.get(projectId) ?? { tops: findTops(store.listProjectFolders(projectId)), roots };
    machines.set(projectId, known);
    return known;
  }

  function send(
    { item, projectId }: { item: string; projectId: number },
    aspect: Aspect,
    payload: Uint8Array | null,
    tokens: number[],
  ): string {
    const project = requireProject(projects, projectId);
    team.hlc = nextStamp(team.hlc, now() + team.clockOffset);
    const { hlc } = team;
    const change = { origin: project.origin, n: project.nextN++, item, aspect, hlc, payload, keyEpoch: 0 };
    store.addOutboxChange({
      ...change,
      projectId,
      after: store.getRegister(item, aspect)?.hlc ?? '0',
      digest: digestChange(project.digestKey, change),
      tokens,
      isAcknowledged: false,
      seq: null,
      refusal: null,
    });
    return hlc;
  }

  return {
    team,
    projects,
    record(item, change) {
      const clean = redactValue(stripPaths(change, machineOf(item.projectId)), { maxText: LONGEST_TEXT });
      const tokens = clean.aspect === 'text' ? tokensOf(clean.value) : [];
      const hlc = send(item, change.aspect, encodePayload(clean), tokens);
      store.saveRegister({
        ...{ item: item.item, aspect: change.aspect, hlc, author: null, isHeld: false },
        origin: requireProject(projects, item.projectId).origin,
        value: fingerprint(change),
      });
    },
    recordDeletion(item) {
      store.killTeamItem(item.item);
      const hlc = send(item, 'deletion', null, []);
      const { origin } = requireProject(projects, item.projectId);
      store.saveRegister({
        item: item.item,
        aspect: 'deletion',
        hlc,
        origin,
        author: null,
        value: '',
        isHeld: false,
      });
    },
    close() {
      store.setTeamClock(team);
      for (const { name: _, ...project } of projects.values()) store.saveTeamProject(project);
    },
  };
}

export function newId(): string {
  return randomUUID();
}

/** A uuid derived from a text (version 8). */
export function deriveId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function requireProject(projects: Map<number, TeamProject>, projectId: number): TeamProject {
  const project = projects.get(projectId);
  if (!project) throw new Error(`Project ${projectId} is not shared.`);
  return project;
}

function tokensOf(text: SharedText): number[] {
  if (text.what !== 'memory') return [];
  const { title, subtitle, narrative, facts, concepts, aliases, parts, files } = text;
  const texts = [
    title,
    subtitle,
    narrative,
    ...facts,
    ...concepts,
    ...aliases,
    ...files.map(({ path }) => path),
  ];
  const words = tokenise([...texts, ...(parts ? Object.values(parts).flat() : [])].join('\n'));
  return [...new Set(words.map(hashToken))].slice(0, MOST_TOKENS);
}
