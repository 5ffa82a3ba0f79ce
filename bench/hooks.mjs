import { filesWaiting, hookCall, installedHome, makeProject, untilQuiet, workFolder } from './home.mjs';
import { floors, interleave } from './measure.mjs';
import { createRealText, largeToolEnd, recorded } from './payloads.mjs';
import { milliseconds, times } from './table.mjs';

const MOST_TIMES_TRUE = 4;
const MOST_TIMES_NODE = 0.25;

/** Answering hooks, which are measured separately. */
const ANSWERING = ['SessionStart', 'UserPromptSubmit', 'PreCompact'];
const WAKING = ['Stop', 'StopFailure', 'SessionEnd'];

const RECORDED = {
  Setup: 'Setup.init',
  PreToolUse: 'PreToolUse.Read',
  PermissionRequest: 'PermissionRequest.ExitPlanMode.with-plan',
  PostToolUse: 'PostToolUse.Bash',
  PostToolUseFailure: 'PostToolUseFailure.Bash',
  PostToolBatch: 'PostToolBatch.parallel',
  PostCompact: 'PostCompact.auto',
  SessionEnd: 'SessionEnd.other',
};

export async function measure({ runs, say }) {
  const work = workFolder();
  const cairn = installedHome(work);
  const folder = makeProject(`${work}/project`);
  const subjects = Object.keys(cairn.commands)
    .filter((event) => !ANSWERING.includes(event))
    .map((event) => silentHook(cairn, folder, { event, payload: recorded(RECORDED[event] ?? event) }));
  subjects.push(
    silentHook(cairn, folder, {
      event: 'PostToolUse',
      name: 'PostToolUse, 30 kB',
      payload: largeToolEnd(createRealText(), 30_000),
    }),
  );
  const measured = await interleave([...floors(cairn.env), ...subjects], { runs, say, title: 'hooks' });
  return {
    title: `Silent hooks, as the agent runs them (sh -c; ${runs} interleaved runs)`,
    columns: ['', 'median', 'p95', 'p99', '× /bin/true', '× node -e 0', 'target'],
    rows: Object.entries(measured).map(([name, spread]) => row(name, spread, measured)),
    notes: [
      `Target: at most ${MOST_TIMES_TRUE} × /bin/true and ${MOST_TIMES_NODE} × node -e 0. ` +
        `${WAKING.join(', ')} really start the worker, which is ended before the next measurement.`,
    ],
  };
}

function silentHook(cairn, folder, { event, name = event, payload }) {
  const session = payload.session_id;
  const wakes = WAKING.includes(event);
  let waitingBefore = 0;
  return {
    name: wakes ? `${name} (wakes the worker)` : name,
    before() {
      waitingBefore = filesWaiting(cairn.home);
    },
    call: () => hookCall(cairn, { event, payload, folder, session }),
    async after({ exitCode, stdout, stderr }) {
      if (exitCode !== 0 || stdout || stderr)
        throw new Error(`${event} was not silent: ${exitCode} ${stdout} ${stderr}`);
      if (wakes) await untilQuiet(cairn.home);
      else if (filesWaiting(cairn.home) !== waitingBefore + 1) throw new Error(`${event} was not captured`);
    },
  };
}

function row(name, { median, p95, p99, runs }, measured) {
  const timesTrue = median / measured['/bin/true'].median;
  const timesNode = median / measured['node -e 0'].median;
  const isFloor = name.startsWith('/bin/') || name === 'node -e 0';
  const met = timesTrue <= MOST_TIMES_TRUE && timesNode <= MOST_TIMES_NODE;
  const verdict = isFloor ? 'floor' : met ? 'met' : 'above target';
  return {
    cells: [name, ...[median, p95, p99].map(milliseconds), times(timesTrue), times(timesNode), verdict],
    figures: { name, median, p95, p99, runs, timesTrue, timesNode, verdict },
  };
}
