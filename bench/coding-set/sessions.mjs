import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { loadParts } from '../product.mjs';

const FIRST_DAY = Date.UTC(2026, 4, 4, 9);
const DAY = 86_400_000;

/** What the offline distiller makes of the sessions in test/distill, a session every other day. */
export async function memoriesOfSessions() {
  const { distillSessions, toldSessions, tell } = await loadSessions();
  const sessions = [...distillSessions.filter(canBeTold), ...toldSessions];
  const memories = sessions.flatMap((session, index) => {
    const folder = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), 'cairn-coding-set-'));
    try {
      const isTold = toldSessions.includes(session);
      const stored = isTold ? tell(session, folder) : tell(session, folder, reallyRun);
      return memoriesOf(session, stored, FIRST_DAY + index * 2 * DAY, join(folder, 'project'));
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
  return memories.map((memory, order) => ({ ...memory, order }));
}

/** Sessions that are cut short, run in the background or have subagents take the real client to be played. */
function canBeTold(session) {
  const { subagents, notification, compact } = session.script('/project');
  return !session.how && !subagents && !notification && !compact;
}

function reallyRun({ input }, project) {
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', String(input.command)], {
    cwd: project,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, HOME: project, LANG: 'C.UTF-8', GIT_CONFIG_GLOBAL: '/dev/null' },
  });
  return `${stdout}${stderr}`;
}

function memoriesOf(session, { observations, summaries }, startedAt, project) {
  const name = session.name.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
  const shared = { group: 'sessions', session: name, branch: 'main', said_by: 'distiller' };
  const at = (prompt) => new Date(startedAt + (prompt ?? 1) * 600_000).toISOString();
  const seen = numbered(observations.toReversed()).map(([observation, number]) => ({
    id: `${name}-${observation.type}-${number}`,
    ...shared,
    at: at(observation.prompt),
    kind: 'observation',
    type: observation.type,
    title: observation.title,
    text: [observation.subtitle, observation.narrative].filter(Boolean).join('\n'),
    facts: observation.facts,
    concepts: observation.concepts,
    files: [...observation.filesModified, ...observation.filesRead],
  }));
  const summed = summaries.toReversed().map((summary) => ({
    id: `${name}-summary-${summary.prompt}`,
    ...shared,
    at: at(summary.prompt),
    kind: 'summary',
    type: null,
    title: summary.request,
    text: ['investigated', 'learned', 'completed', 'nextSteps', 'notes']
      .map((part) => summary[part])
      .filter(Boolean)
      .join('\n'),
    facts: [],
    concepts: [],
    files: [...summary.filesModified, ...summary.filesRead],
  }));
  const withoutFolder = (text) => text.replaceAll(`${project}/`, '').replaceAll(project, '.');
  return [...seen, ...summed].map((memory) => JSON.parse(withoutFolder(JSON.stringify(memory))));
}

/** Each with its number among those of its type: better words for a memory leave its id alone. */
function numbered(observations) {
  const counts = new Map();
  return observations.map((observation) => {
    const number = (counts.get(observation.type) ?? 0) + 1;
    counts.set(observation.type, number);
    return [observation, number];
  });
}

async function loadSessions() {
  return loadParts(`
    export { distillSessions, toldSessions } from './test/distill/all.ts';
    export { tell } from './test/distill/tell.ts';`);
}
