import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { hookCall, installedHome, makeProject, stopWorkers, workFolder } from './home.mjs';
import { interleave } from './measure.mjs';
import { recorded } from './payloads.mjs';

const EVENTS = {
  'after a tool': 'PostToolUse.Bash',
  'before a prompt': 'UserPromptSubmit',
  'session start': 'SessionStart.startup',
};
/** An address at which no server listens. */
const GONE = { host: '127.0.0.1', port: 1, database: 'gone', user: 'gone', password: 'gone', ca: null };

/** The same hooks in a home with a team whose server is gone and in a home without a team, in turns. */
export async function measureHooks({ openSqliteStore, pathsOf }, runs, say) {
  say('  hooks with a team whose server is gone, and without a team');
  const work = workFolder();
  const homes = { team: installedHome(`${work}/team`), none: installedHome(`${work}/none`) };
  const folder = makeProject(`${work}/project`);
  fs.appendFileSync(
    join(folder, '.git/config'),
    '[remote "origin"]\n\turl = https://git.example.com/team/shop.git\n',
  );
  const subjects = Object.entries(EVENTS).flatMap(([what, name]) =>
    Object.entries(homes).map(([kind, cairn]) =>
      hookSubject(cairn, folder, { name: `${kind} ${what}`, recording: name }),
    ),
  );
  // The first calls create the projects.
  await interleave(subjects, { runs: 1, warmUps: 0 });
  joinGoneTeam(openSqliteStore(pathsOf(homes.team.home).database), pathsOf(homes.team.home));
  const measured = await interleave(subjects, { runs, say, title: 'team' });
  for (const { home } of Object.values(homes)) stopWorkers(home);
  return Object.keys(EVENTS).map((what) => ({
    what: `hook ${what}, a team whose server is gone`,
    team: measured[`team ${what}`],
    none: measured[`none ${what}`],
  }));
}

function hookSubject(cairn, folder, { name, recording }) {
  const payload = { ...recorded(recording), cwd: folder };
  return {
    name,
    call: () =>
      hookCall(cairn, { event: payload.hook_event_name, payload, folder, session: payload.session_id }),
    after({ exitCode, stderr }) {
      if (exitCode !== 0) throw new Error(`${name}: exit code ${exitCode} ${stderr}`);
      stopWorkers(cairn.home);
    },
  };
}

function joinGoneTeam(store, paths) {
  const team = randomUUID();
  const now = Date.now();
  store.saveTeam({
    ...{
      team,
      member: 'Ada',
      machine: 'laptop',
      epoch: '',
      server: 'gone',
      isEncrypted: false,
      joinedAt: now,
    },
    ...{ hlc: '0', clockOffset: 0, syncedAt: null, problem: null },
  });
  const [project] = store.listProjects();
  if (!project) throw new Error('The hooks have made no project.');
  store.saveTeamProject({
    ...{ projectId: project.id, key: 'git.example.com/team/shop', isShared: true, since: 0, serverId: 1 },
    ...{ canWrite: true, origin: randomUUID(), nextN: 1, seq: 0, chain: null, confirmed: 0 },
  });
  store.close();
  fs.writeFileSync(paths.teamLogin, JSON.stringify({ ...GONE, team }), { mode: 0o600 });
}
