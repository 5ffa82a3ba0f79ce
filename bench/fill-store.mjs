// node fill-store.mjs <home> <events> <sessions> <project folder …>: stores realistic sessions through the store's own
// intake. A separate program, because it leaves much behind in memory.

import { randomUUID } from 'node:crypto';
import { again, allRecorded, recorded } from './payloads.mjs';
import { loadProduct } from './product.mjs';

const [home, eventCount, sessionCount, ...projects] = process.argv.slice(2);
const product = await loadProduct();
const { settings } = product.loadSettings('', product.readEnvironment({}));
const places = projects.map((folder) => product.findPlace(folder));
const calls = allRecorded(['PostToolUse', 'PostToolUseFailure']);
const CALLS_PER_TURN = 20;
const BATCH = 2_000;

const store = product.openSqliteStore(product.pathsOf(home).database);
const perSession = Math.ceil(Number(eventCount) / Number(sessionCount));
const start = Date.now() - Number(sessionCount) * 3_600_000;
let batch = [];
for (let session = 0; session < Number(sessionCount); session++) playSession(session);
flush();
// All turns count as distilled long ago: the worker must not distil them during the measurement.
for (const { id } of store.listJobs()) store.dropJobs(id);
const log = product.createLog({ folder: '', level: 'off', from: 'bench' });
product.followEvents(store, { log, now: Date.now() });
store.checkpointWal();
store.close();

function playSession(number) {
  const project = number % projects.length;
  const session = randomUUID();
  let at = start + number * 3_600_000;
  let stored = 0;
  const ingest = (payload, promptId) => {
    const wire = again(payload, { session, folder: projects[project] });
    if (promptId) wire.prompt_id = promptId;
    if (wire.tool_input?.file_path)
      wire.tool_input = { ...wire.tool_input, file_path: `${projects[project]}/src/part-${stored % 40}.ts` };
    if (wire.hook_event_name === 'UserPromptSubmit')
      wire.prompt = `Session ${number}, step ${stored}: ${wire.prompt}`;
    else stored++;
    at += 5_000;
    add(wire, at, places[project]);
  };

  ingest(recorded('SessionStart.startup'));
  for (let turn = 0; stored < perSession - 1; turn++) {
    const promptId = randomUUID();
    ingest(recorded('UserPromptSubmit'), promptId);
    for (let call = 0; call < CALLS_PER_TURN && stored < perSession - 2; call++)
      ingest(calls[(turn * CALLS_PER_TURN + call) % calls.length], promptId);
    ingest(recorded('Stop'), promptId);
  }
  ingest(recorded('SessionEnd.other'));
}

function add(wire, at, place) {
  const name = `${wire.session_id}.${randomUUID()}`;
  const head = { name, agent: 'claude-code', hook: wire.hook_event_name, via: 'settings', at, place };
  const events = product.claudeCode.toEvents(wire.hook_event_name, wire).map((event) => ({
    agent: 'claude-code',
    event,
    priority: product.priorityOf(event, settings['capture.metaTools']),
    at,
    via: 'settings',
    spoolName: name,
  }));
  batch.push({ ...head, events });
  if (batch.length >= BATCH) flush();
}

function flush() {
  store.ingest(batch, Date.now());
  batch = [];
}
