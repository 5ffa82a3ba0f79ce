import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'src/agents/claude-code/payloads');

/** A recorded payload by its file name, such as `PostToolUse.Bash`. */
export function recorded(name) {
  const place = /\.|^PermissionRequest/.test(name) && fs.existsSync(join(folder, 'tools', `${name}.json`));
  return readJson(join(folder, place ? 'tools' : 'events', `${name}.json`));
}

/** Every recorded payload of these events. */
export function allRecorded(events) {
  const files = ['events', 'tools'].flatMap((kind) =>
    fs.readdirSync(join(folder, kind)).map((name) => join(folder, kind, name)),
  );
  return files
    .map(readJson)
    .filter(({ hook_event_name }) => events.includes(hook_event_name))
    .sort((a, b) => (a.hook_event_name < b.hook_event_name ? -1 : 1));
}

/** The same event in another session, with new ids of its call. */
export function again(payload, { session, folder: cwd }) {
  const copy = { ...payload, session_id: session, cwd };
  if (copy.tool_use_id) copy.tool_use_id = `toolu_${randomUUID()}`;
  if (copy.tool_calls)
    copy.tool_calls = copy.tool_calls.map((call) => ({ ...call, tool_use_id: `toolu_${randomUUID()}` }));
  return copy;
}

/** Text like that of commands and files that an agent reads: source code, a lock file, a log. Never the same twice. */
export function createRealText() {
  const sources = [sourceText(), fs.readFileSync(join(root, 'package-lock.json'), 'utf8'), logText()];
  let turn = 0;
  return function realText(length) {
    const source = sources[turn % 2 === 0 ? 0 : 1 + (Math.floor(turn / 2) % 2)];
    const start = (turn * 7_919) % (source.length - length);
    turn++;
    return source.slice(start, start + length);
  };
}

/** A tool's result of about this many bytes. */
export function largeToolEnd(realText, bytes) {
  const base = recorded('PostToolUse.Bash');
  const stdout = realText(bytes - JSON.stringify(base).length);
  return { ...base, tool_response: { ...base.tool_response, stdout } };
}

function sourceText() {
  const files = fs.readdirSync(join(root, 'src'), { recursive: true }).filter((name) => /\.ts$/.test(name));
  return files
    .sort()
    .map((name) => fs.readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n');
}

function logText() {
  const lines = [];
  for (let line = 0; line < 4_000; line++) {
    const time = new Date(1_790_000_000_000 + line * 137).toISOString();
    const id = (line * 2_654_435_761).toString(16).slice(-8);
    lines.push(
      `${time} INFO  [http-${line % 8}] GET /api/items/${line} 200 ${(line * 37) % 900}ms request=${id}`,
      `${time} DEBUG [pool] connection ${line % 20} returned after ${(line * 13) % 400} queries`,
    );
    if (line % 25 === 0)
      lines.push(`${time} ERROR [worker] TypeError: x is undefined\n    at run (src/worker.ts:${line}:11)`);
  }
  return lines.join('\n');
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
