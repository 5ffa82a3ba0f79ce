import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../../src/model/json.ts';
import { parseLines } from './json-lines.ts';
import { type ModelRequest, type ModelScript, startScriptedModel } from './scripted-model.ts';
import { readTranscripts, type Transcripts } from './transcripts.ts';
import type { World } from './world.ts';

export interface SessionOptions {
  script: ModelScript;
  /** Typed one after the other into one client: the next when the one before has its result. */
  prompts: string[];
  /** Called when the last prompt has its result, before the client learns that no more will come. */
  whenAnswered?: () => Promise<void>;
  args?: string[];
  /** Given by `--settings`, on top of what the home has. Without it the usual tools are allowed. */
  settings?: JsonObject;
  timeoutMs?: number;
}

export interface SessionRun extends Transcripts {
  /** 143 when the time limit ended the client; null when it had to be killed. */
  exitCode: number | null;
  sessionId: string;
  /** What the client printed, line by line (`--output-format stream-json`). */
  printed: JsonObject[];
  stderr: string;
  debugLog: string;
  requests: ModelRequest[];
}

export const ALLOW_USUAL_TOOLS: JsonObject = {
  permissions: { allow: ['Bash', 'Write', 'Edit', 'Read', 'Agent'] },
};

/** One whole session of the real client, without a screen, against a scripted model. */
export async function runSession(world: World, options: SessionOptions): Promise<SessionRun> {
  const { script, args = [], settings = ALLOW_USUAL_TOOLS } = options;
  const papers = await mkdtemp(join(world.root, 'run-'));
  const debugFile = join(papers, 'debug.log');
  const settingsFile = join(papers, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings));

  const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const files = ['--debug-file', debugFile, '--settings', settingsFile];
  const model = await startScriptedModel(script);
  try {
    const client = spawn(world.client, ['-p', ...streams, ...files, ...args], {
      cwd: world.project,
      env: { ...world.env, ANTHROPIC_BASE_URL: model.url },
      // A group of its own, so that the time limit can end what the client started and nothing else.
      detached: true,
    });
    const output = await converse(client, options);
    const sessionId = sessionIdIn(output.printed);
    return {
      ...output,
      sessionId,
      debugLog: await readFile(debugFile, 'utf8').catch(() => ''),
      ...(await readTranscripts(world, sessionId)),
      requests: model.requests(),
    };
  } finally {
    await model.close();
  }
}

async function converse(client: ChildProcessWithoutNullStreams, options: SessionOptions) {
  const { prompts, whenAnswered, timeoutMs = 90_000 } = options;
  const printed: JsonObject[] = [];
  const complaints: Buffer[] = [];
  client.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  // The client may be gone before it has read everything; its exit code says so.
  client.stdin.on('error', () => {});

  const waiting = [...prompts];
  const typeNext = async () => {
    const content = waiting.shift();
    if (content !== undefined) {
      client.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
      return;
    }
    await whenAnswered?.();
    client.stdin.end();
  };

  const exitCode = await new Promise<number | null>((resolve, reject) => {
    const limit = setTimeout(() => endClient(client), timeoutMs);
    client.once('error', reject);
    client.once('close', (code) => {
      clearTimeout(limit);
      resolve(code);
    });
    createInterface({ input: client.stdout }).on('line', (line) => {
      const lines = parseLines(line);
      printed.push(...lines);
      if (lines.some(answersAPrompt)) typeNext().catch(reject);
    });
    typeNext().catch(reject);
  });
  return { exitCode, printed, stderr: Buffer.concat(complaints).toString('utf8') };
}

/** Results that have an origin answer a machine prompt: a background task has ended. */
function answersAPrompt(line: JsonObject): boolean {
  return line.type === 'result' && line.origin === undefined;
}

/** Asks first: the client ends its own commands then, which run in groups of their own. */
function endClient(client: ChildProcessWithoutNullStreams): void {
  client.kill('SIGTERM');
  const insist = setTimeout(() => {
    // As long as the client is not gone, its id is the group's and nobody else's.
    const gone = client.exitCode !== null || client.signalCode !== null;
    if (!gone && client.pid !== undefined) process.kill(-client.pid, 'SIGKILL');
    // What it left behind may still hold its streams open.
    client.stdout.destroy();
    client.stderr.destroy();
  }, 5_000);
  client.once('close', () => clearTimeout(insist));
}

function sessionIdIn(printed: JsonObject[]): string {
  const id = printed.find((line) => typeof line.session_id === 'string')?.session_id;
  return typeof id === 'string' ? id : '';
}
