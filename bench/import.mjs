import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeProject, workFolder } from './home.mjs';
import { createRealText } from './payloads.mjs';
import { whole } from './table.mjs';

const cli = fileURLToPath(new URL('../dist/cli.mjs', import.meta.url));
const recorded = new URL(
  '../src/agents/claude-code/payloads/transcripts/whole/9292fbe5-81e1-4ee8-9fc3-b64e3b6ecf90.jsonl',
  import.meta.url,
);
const MEGABYTE = 1024 * 1024;
const SIZES = [100, 1024];
/** The size of a long session. Most of it are the client's own attachments and its copies of results. */
const FILE_BYTES = 8 * MEGABYTE;
const OUTPUT_BYTES = 3_000;
const MOST_MEMORY = 200;
const MOST_GROWTH = 1.2;

/** Imports a hundred megabytes and a gigabyte of transcripts by the public command. */
export async function measure({ say }) {
  const rows = [];
  for (const megabytes of SIZES) {
    say(`  ${whole(megabytes)} MB of transcripts …`);
    const work = workFolder();
    const env = {
      HOME: join(work, 'home'),
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      CAIRN_NO_WORKER: '1',
    };
    writeTranscripts(
      join(work, 'home/.claude/projects/-work'),
      makeProject(join(work, 'project')),
      megabytes * MEGABYTE,
    );
    const run = await importAll(env, work);
    const size = fs.statSync(join(work, 'home/.cairn/cairn.db')).size;
    fs.rmSync(work, { recursive: true, force: true });
    rows.push(row({ megabytes, size, ...run, first: rows[0]?.figures.peakMegabytes }));
  }
  return {
    title: 'Import of past transcripts',
    columns: [
      'transcripts',
      'events',
      'events/s',
      'MB/s',
      'peak memory',
      'against the first',
      'database',
      'target',
    ],
    rows,
    notes: [
      `Target: at most ${MOST_MEMORY} MB, and within ${Math.round((MOST_GROWTH - 1) * 100)} % of the first.`,
    ],
  };
}

/** Repeats the recorded session with new ids and with outputs of a usual length. */
function writeTranscripts(folder, project, bytes) {
  fs.mkdirSync(folder, { recursive: true });
  const text = createRealText();
  const lines = fs
    .readFileSync(recorded, 'utf8')
    .replaceAll('/home/user/project', project)
    .trimEnd()
    .split('\n');
  let round = 0;
  for (let written = 0; written < bytes; ) {
    const session = `5e55a000-0000-4000-8000-${String(round).padStart(12, '0')}`;
    const file = fs.openSync(join(folder, `${session}.jsonl`), 'w');
    for (let size = 0; size < Math.min(FILE_BYTES, bytes); round++) {
      const output = JSON.stringify(text(OUTPUT_BYTES)).slice(1, -1);
      const copy = lines.map((line) => again(line, round, session, output)).join('\n');
      size += fs.writeSync(file, `${copy}\n`);
      written += Buffer.byteLength(copy);
    }
    fs.closeSync(file);
  }
}

/** Adds the round to every id, advances the times and lengthens each output. */
function again(line, round, session, output) {
  const later = (_, time) =>
    `"timestamp":"${new Date(Date.parse(time) - 86_400_000 * 300 + round * 10_000).toISOString()}"`;
  return line
    .replaceAll('9292fbe5-81e1-4ee8-9fc3-b64e3b6ecf90', session)
    .replace(
      /"(uuid|parentUuid|promptId|sourceToolAssistantUUID)":"([0-9a-f]{8})/g,
      `"$1":"${round.toString(16).padStart(8, '0')}$2`,
    )
    .replace(/_4b9875ab/g, `_${round}`)
    .replace(/"timestamp":"([^"]+)"/g, later)
    .replace(/-MARK/g, () => `-MARK ${output}`);
}

function importAll(env, cwd) {
  const peakFile = join(cwd, 'peak');
  const preload = join(cwd, 'peak.cjs');
  fs.writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peakFile)}, String(process.resourceUsage().maxRSS)));`,
  );
  return new Promise((done, fail) => {
    const began = process.hrtime.bigint();
    const child = spawn(process.execPath, ['--require', preload, cli, 'import', 'claude-code', '--json'], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('error', fail);
    child.on('close', (exitCode) => {
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      if (exitCode !== 0) return fail(new Error(`The import ended with ${exitCode}.`));
      const { added, bytes, sessions } = JSON.parse(output);
      done({
        events: added,
        bytes,
        sessions,
        seconds,
        peakMegabytes: Number(fs.readFileSync(peakFile, 'utf8')) / 1024,
      });
    });
  });
}

function row({ megabytes, events, bytes, sessions, seconds, peakMegabytes, size, first = peakMegabytes }) {
  const growth = peakMegabytes / first;
  const isMet = peakMegabytes <= MOST_MEMORY && growth <= MOST_GROWTH;
  return {
    cells: [
      `${whole(megabytes)} MB, ${whole(sessions)} sessions`,
      whole(events),
      whole(events / seconds),
      (bytes / MEGABYTE / seconds).toFixed(1),
      `${whole(peakMegabytes)} MB`,
      `${growth.toFixed(2)} ×`,
      `${whole(size / MEGABYTE)} MB`,
      isMet ? 'met' : 'missed',
    ],
    figures: {
      megabytes,
      events,
      bytes,
      sessions,
      seconds,
      peakMegabytes,
      growth,
      databaseBytes: size,
      isMet,
    },
  };
}
