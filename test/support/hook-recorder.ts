import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/json.ts';
import { parseLines } from './json-lines.ts';

/** One hook call as the client made it. */
export interface HookCall {
  event: string;
  payload: JsonObject;
}

/** A hook that keeps its stdin and prints nothing. Each call writes a new file, since calls run at the same time. */
const RECORDER = `#!/bin/sh
set -C
cat > "$1/$2.$$"
`;

/** Settings with a recording hook for each event, and a function that returns the recorded calls in order. */
export async function recordHooks(folder: string, events: string[]) {
  await mkdir(folder, { recursive: true });
  const calls = join(folder, 'calls');
  await mkdir(calls);
  const script = join(folder, 'record.sh');
  await writeFile(script, RECORDER, { mode: 0o755 });

  const hooks: JsonObject = {};
  for (const event of events) {
    hooks[event] = [{ hooks: [{ type: 'command', command: script, args: [calls, event], timeout: 20 }] }];
  }
  return { hooks, recorded: () => readCalls(calls) };
}

async function readCalls(folder: string): Promise<HookCall[]> {
  const calls: (HookCall & { at: bigint })[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const [payload] = parseLines(await readFile(path, 'utf8'));
    if (!payload) throw new Error(`no payload in ${name}`);
    const { mtimeNs } = await stat(path, { bigint: true });
    calls.push({ event: name.split('.')[0] ?? '', payload, at: mtimeNs });
  }
  calls.sort((a, b) => Number(a.at - b.at));
  return calls.map(({ event, payload }) => ({ event, payload }));
}
