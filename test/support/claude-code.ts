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
  /** Typed into one client one after the other, each when the one before has its result. */
  prompts: string[];
  /** Called when the last prompt has its result, before stdin is closed. */
  whenAnswered?: () => Promise<void>;
  args?: string[];
  /** Passed with `--settings`, on top of those in the home. Without it the usual tools are allowed. */
  settings?: JsonObject;
  timeoutMs?: number;
}

export interface SessionRun extends Transcripts {
  /** 143 if the time limit ended the client; null if it had to be killed. */
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

/** Runs a whole session of the real client, without a screen, against a scripted model. */
export async function runSession(world: World, options: SessionOptions): Promise<SessionRun> {
  const { script, args = [], settings = ALLOW_USUAL_TOOLS } = options;
  const folder = await mkdtemp(join(world.root, 'run-'));
  const debugFile = join(folder, 'debug.log');
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings));

  const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const files = ['--debug-file', debugFile, '--settings', settingsFile];
  const model = await startScriptedModel(script);
  try {
    const client = spawn(world.client, ['-p', ...streams, ...files, ...args], {
      cwd: world.project,
      env: { ...world.env, ANTHROPIC_BASE_URL: model.url },
      // A separate process group: the time limit ends what the client started, and nothing else.
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
  // The client may exit before it has read everything; its exit code shows that.
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

/** Results with an origin answer a machine prompt, such as the end of a background task. */
function answersAPrompt(line: JsonObject): boolean {
  return line.type === 'result' && line.origin === undefined;
}

/** Sends SIGTERM first: the client then ends its own commands, which run in separate process groups. */
function endClient(client: ChildProcessWithoutNullStreams): void {
  client.kill('SIGTERM');
  const insist = setTimeout(() => {
    // Until the client has exited, its pid cannot be reused for another process group.
    const hasExited = client.exitCode !== null || client.signalCode !== null;
    if (!hasExited && client.pid !== undefined) process.kill(-client.pid, 'SIGKILL');
    // Processes that it left behind may still hold its streams open.
    client.stdout.destroy();
    client.stderr.destroy();
  }, 5_000);
  client.once('close', () => clearTimeout(insist));
}

function sessionIdIn(printed: JsonObject[]): string {
  const id = printed.find((line) => typeof line.session_id === 'string')?.session_id;
  return typeof id === 'string' ? id : '';
}
