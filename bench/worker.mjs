import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filesWaiting, installedHome, makeProject, untilQuiet, workFolder } from './home.mjs';
import { memoryOf } from './measure.mjs';
import { loadProduct } from './product.mjs';
import { whole } from './table.mjs';

const program = fileURLToPath(new URL('../dist/worker.cjs', import.meta.url));
const TURNS = 10_000;
const REST_SECONDS = 30;
const MOST_AT_REST = 90;
const MOST_AFTER_WORK = 120;
const MOST_CPU_PERCENT = 0.1;
/** The kernel counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** The memory and processor time of the worker, before any work and after a lot of it. */
export async function measure({ say }) {
  const product = await loadProduct();
  const work = workFolder();
  const { home, env } = installedHome(work);
  const folder = makeProject(join(work, 'project'));
  fs.writeFileSync(join(home, 'config.json'), JSON.stringify({ 'worker.idleSeconds': 600 }));
  const worker = spawn(process.execPath, [...product.WORKER_OPTIONS, program], {
    env: { ...env, CAIRN_HOME: home },
    stdio: 'ignore',
  });

  await wait(3_000);
  say(`  at rest, ${REST_SECONDS} s …`);
  const rest = { cpu: await cpuPercent(worker.pid), megabytes: memoryOf(worker.pid) };
  say(`  ${whole(TURNS)} turns …`);
  const began = performance.now();
  for (let turn = 0; turn < TURNS; turn++) {
    spoolTurn(product, home, folder, turn);
    if (turn % 200 === 199) while (filesWaiting(home) > 2_000) await wait(50);
  }
  await untilAllIsDone(product, home);
  const seconds = (performance.now() - began) / 1_000;
  // The worker keeps looking for a few seconds: an agent's transcript may be late.
  await wait(10_000);
  const after = { cpu: await cpuPercent(worker.pid), megabytes: memoryOf(worker.pid) };
  await untilQuiet(home);

  return {
    title: 'The worker',
    columns: ['', 'resident memory', 'at most', 'CPU at rest', 'at most', 'target'],
    rows: [
      row('before any work', rest, MOST_AT_REST),
      row(`after ${whole(TURNS)} turns`, after, MOST_AFTER_WORK),
    ],
    notes: [
      `${whole(TURNS)} turns of four events were ingested and distilled at ${whole(TURNS / seconds)} turns a second.`,
    ],
  };
}

function row(name, { megabytes, cpu }, most) {
  const isMet = megabytes <= most && cpu <= MOST_CPU_PERCENT;
  return {
    cells: [
      name,
      `${whole(megabytes)} MB`,
      `${most} MB`,
      `${cpu.toFixed(2)} %`,
      `${MOST_CPU_PERCENT} %`,
      isMet ? 'met' : 'above target',
    ],
    figures: { megabytes, cpu, isMet },
  };
}

async function cpuPercent(pid) {
  const ticks = () => {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = ticks();
  await wait(REST_SECONDS * 1_000);
  return ((ticks() - before) / TICKS_PER_SECOND / REST_SECONDS) * 100;
}

function spoolTurn(product, home, folder, number) {
  const session = `bench-${number % 50}`;
  const common = { session_id: session, prompt_id: `p-${number}`, cwd: folder };
  const file = join(folder, `price-${number}.js`);
  const bash = (id) => ({
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: `${id}-${number}`,
  });
  const events = [
    ['UserPromptSubmit', { prompt: `the rounding of price ${number} is wrong, fix it` }],
    ['PostToolUseFailure', { ...bash('red'), error: `Exit code 1\nnot ok 1 - price ${number} is rounded` }],
    [
      'PostToolUse',
      {
        tool_name: 'Edit',
        tool_use_id: `edit-${number}`,
        tool_input: { file_path: file, old_string: 'Math.floor(price)', new_string: 'Math.round(price)' },
        tool_response: { filePath: file, oldString: 'Math.floor(price)', newString: 'Math.round(price)' },
      },
    ],
    ['PostToolUse', { ...bash('green'), tool_response: { stdout: 'ok 1', stderr: '' } }],
    [
      'Stop',
      {
        last_assistant_message: `Fixed: price-${number}.js cut the cents off because of floor. It rounds now.`,
        stop_hook_active: false,
      },
    ],
  ];
  for (const [hook, fields] of events)
    product.writeSpoolFile(
      product.pathsOf(home),
      { agent: 'claude-code', hook, via: 'settings', projectDir: folder },
      session,
      Buffer.from(JSON.stringify({ ...common, hook_event_name: hook, ...fields })),
    );
}

async function untilAllIsDone(product, home) {
  const store = product.openSqliteStore(product.pathsOf(home).database);
  try {
    for (const until = Date.now() + 600_000; ; await wait(500)) {
      const waits = filesWaiting(home) + store.countEverything().waitingJobs + store.countPendingDocs();
      if (waits === 0) return;
      if (Date.now() > until) throw new Error('The worker did not finish.');
    }
  } finally {
    store.close();
  }
}
