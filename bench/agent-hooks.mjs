import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cli, filesWaiting, installedHome, makeProject, untilQuiet, workFolder } from './home.mjs';
import { floors, interleave } from './measure.mjs';
import { loadParts } from './product.mjs';
import { milliseconds, times } from './table.mjs';

const PARTS = `
  export { agents } from './src/agents/all.ts';
  export { installers } from './src/agents/install/installers.ts';
`;
const SILENT_TIMES_TRUE = 4;
const SILENT_TIMES_NODE = 0.25;
const ANSWERING_TIMES_NODE = 2.5;
const MEMORY = 'We prune the apple trees of the orchard in winter, because they bleed in spring.';
/** These clients append the payload to the command as a here-document, and use a shell that is slower than `sh`. */
const WITH_HERE_DOCUMENT = ['cursor'];
const SLOWER_SHELL = '/bin/bash';

/** Measures each hook of an agent as that agent runs it, silent and answering ones. */
export async function measure({ agent: id, runs, say }) {
  const { agents, installers } = await loadParts(PARTS);
  const place = placeIn('/');
  const measurable = installers.filter(
    (installer) => hooksOf(installer, place) ?? pluginOf(installer, place),
  );
  const installer = measurable.find((installer) => installer.id === id);
  if (!installer)
    throw new Error(`"${id}" has no hooks. These have: ${measurable.map(({ id }) => id).join(', ')}.`);
  const agent = agents.find((agent) => agent.id === id);
  return hooksOf(installer, place)
    ? measureCommands({ agent, installer, runs, say })
    : measurePlugin({ agent, installer, runs, say });
}

async function measureCommands({ agent, installer, runs, say }) {
  const { id } = agent;
  const work = workFolder();
  const { home, env } = installedHome(work, id);
  const folder = makeProject(`${work}/project`);
  const { hooks } = agent;
  const { events, command } = hooksOf(installer, placeIn(env.HOME));
  const { CLAUDECODE: _, ...usual } = env;
  const own = { ...usual, CLAUDE_PROJECT_DIR: folder, ...(hooks.marker && { [hooks.marker]: 'bench' }) };
  execFileSync(process.execPath, [cli, 'remember', MEMORY], { env: usual, cwd: folder, stdio: 'pipe' });
  // The first session of a home would get the welcome message instead.
  fs.writeFileSync(join(home, 'state/welcomed'), '');

  const answering = [...hooks.answered, ...hooks.prompts];
  const subjects = events.map((event) => {
    const mayAnswer = answering.includes(event);
    let waitingBefore = 0;
    return {
      name: `${event} (${mayAnswer ? 'answering' : 'silent'})`,
      before() {
        waitingBefore = filesWaiting(home);
      },
      call: () =>
        hookCall(id, { command: command(event), env: own, folder, payload: payloadOf(id, event, folder) }),
      async after({ exitCode, stdout, stderr }) {
        if (exitCode !== 0 || stderr || (stdout && !mayAnswer))
          throw new Error(`${event} ended with ${exitCode}: ${stdout} ${stderr}`);
        if (givesStart(agent, event, folder) && !stdout.includes('apple trees'))
          throw new Error(`${event} was not answered: ${stdout}`);
        if (mayAnswer || hooks.ends.includes(event)) await untilQuiet(home, { spoolMayHoldFiles: mayAnswer });
        else if (filesWaiting(home) !== waitingBefore + 1) throw new Error(`${event} was not captured`);
      },
    };
  });
  const measured = await interleave([...floorsOf(id, own), ...subjects], { runs, say, title: id });
  return describe(`Hooks of ${id}, as it runs them, with one memory (${runs} interleaved runs)`, measured);
}

/**
 * Measures the functions that the hooks of the installed plugin call: one writes an event to the spool in the agent's
 * own process, the other runs the hook program and waits for its answer.
 */
async function measurePlugin({ agent, installer, runs, say }) {
  const { id, hooks } = agent;
  const work = workFolder();
  const { home, env } = installedHome(work, id);
  const folder = makeProject(`${work}/project`);
  execFileSync(process.execPath, [cli, 'remember', MEMORY], { env, cwd: folder, stdio: 'pipe' });
  fs.writeFileSync(join(home, 'state/welcomed'), '');
  const { path, events } = pluginOf(installer, placeIn(env.HOME));
  const copy = `${work}/plugin.mjs`;
  fs.writeFileSync(copy, `${fs.readFileSync(path, 'utf8')}\nexport { ask, record };\n`);
  const { ask, record } = await import(copy);
  // The plugin passes the agent's environment to the hook program.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);

  const [start] = hooks.answered;
  const [prompt] = hooks.prompts;
  const silent = events.find((event) => /tool/i.test(event));
  const answering = [start, prompt].map((event) => ({
    name: `${event} (answering)`,
    run: () => ask({ folder, event, payload: pluginPayload(folder) }),
    async after({ returned }) {
      if (event === start && !returned.includes('apple trees')) throw new Error(`${event} was not answered`);
      await untilQuiet(home, { spoolMayHoldFiles: true });
    },
  }));
  let waitingBefore = 0;
  const writing = {
    name: `${silent} (silent)`,
    before() {
      waitingBefore = filesWaiting(home);
    },
    run: () => record({ folder, event: silent, payload: pluginPayload(folder) }),
    after() {
      if (filesWaiting(home) !== waitingBefore + 1) throw new Error(`${silent} was not captured`);
    },
  };
  const measured = await interleave([...floors(env), writing, ...answering], { runs, say, title: id });
  return describe(`The plugin of ${id}, with one memory (${runs} interleaved runs)`, measured);
}

/** The start of a session and its first prompt, with the field names of every plugin. */
function pluginPayload(folder) {
  const session = randomUUID();
  const text = 'When do we prune the apple trees of the orchard?';
  const content = [{ type: 'text', text }];
  return {
    ...{ sessionID: session, directory: folder, source: 'startup', output: { parts: content } },
    ...{
      event: { reason: 'startup', prompt: text, source: 'interactive' },
      ctx: { sid: session, cwd: folder },
    },
    ...{ sessionId: session, rootPath: folder },
    context: { snapshot: { agentId: 'a', messages: [{ role: 'user', content }] } },
  };
}

function describe(title, measured) {
  return {
    title,
    columns: ['', 'median', 'p95', 'p99', '× /bin/true', '× node -e 0', 'target'],
    rows: Object.entries(measured).map(([name, spread]) => row(name, spread, measured)),
    notes: [
      `Target: silent hooks at most ${SILENT_TIMES_TRUE} × /bin/true and ${SILENT_TIMES_NODE} × node -e 0, answering ` +
        `ones at most ${ANSWERING_TIMES_NODE} × node -e 0.`,
    ],
  };
}

function placeIn(userHome) {
  const home = join(userHome, '.cairn');
  const choices = { hasServer: false, allowsTools: false, programs: [] };
  return {
    ...{
      userHome,
      variable: () => undefined,
      platform: process.platform,
      folder: '/',
      project: null,
      choices,
    },
    captureScript: join(home, 'capture.sh'),
    launcher: join(home, 'bin/cairn'),
    interpreter: process.execPath,
    hookProgram: 'hook.cjs',
    cairn: [join(home, 'bin/cairn')],
  };
}

/** The part that is a JavaScript plugin. */
function pluginOf(installer, place) {
  return installer.listParts(place).find(({ kind, events }) => kind === 'hooks' && events);
}

function hooksOf(installer, place) {
  return installer.listParts(place).find(({ hooks }) => hooks)?.hooks;
}

/** Some agents accept the context of the session start only with the first prompt. */
function givesStart({ id, context, toEvents }, event, folder) {
  const [read] = toEvents(event, payloadOf(id, event, folder));
  return read?.kind === 'session-start'
    ? context.start
    : read?.kind === 'prompt' && context.prompt && !context.start;
}

function floorsOf(id, env) {
  if (!WITH_HERE_DOCUMENT.includes(id)) return floors(env);
  const name = `${SLOWER_SHELL} -c true`;
  return [...floors(env), { name, call: () => ({ program: SLOWER_SHELL, args: ['-c', 'true'], env }) }];
}

function hookCall(id, { command, env, folder, payload }) {
  const input = JSON.stringify(payload);
  if (!WITH_HERE_DOCUMENT.includes(id))
    return { program: '/bin/sh', args: ['-c', command], env, cwd: folder, input };
  const script = `${command} <<'HOOK_EOF'\n${input}\nHOOK_EOF\n`;
  return { program: SLOWER_SHELL, args: ['-c', script], env, cwd: folder };
}

/** A recorded payload, or the fields that every agent sends; always for a new session. */
function payloadOf(id, event, folder) {
  const payloads = fileURLToPath(new URL(`../src/agents/${id}/payloads`, import.meta.url));
  const [file] = fs
    .readdirSync(payloads, { recursive: true })
    .filter((path) => path.endsWith('.json') && basename(path).split('.')[0] === event)
    .sort((a, b) => b.includes('.startup') - a.includes('.startup') || a.length - b.length);
  const recorded = file ? JSON.parse(fs.readFileSync(join(payloads, file), 'utf8')) : { session_id: '' };
  const session = randomUUID();
  for (const name of ['session_id', 'sessionId', 'conversation_id'])
    if (name in recorded) recorded[name] = session;
  return { ...recorded, cwd: folder, ...('workspace_roots' in recorded && { workspace_roots: [folder] }) };
}

function row(name, { median, p95, p99, runs }, measured) {
  const timesTrue = median / measured['/bin/true'].median;
  const timesNode = median / measured['node -e 0'].median;
  const isMet = name.endsWith('(answering)')
    ? timesNode <= ANSWERING_TIMES_NODE
    : timesTrue <= SILENT_TIMES_TRUE && timesNode <= SILENT_TIMES_NODE;
  const verdict = name.endsWith(')') ? (isMet ? 'met' : 'above target') : 'floor';
  return {
    cells: [name, ...[median, p95, p99].map(milliseconds), times(timesTrue), times(timesNode), verdict],
    figures: { name, median, p95, p99, runs, timesTrue, timesNode, verdict },
  };
}
