import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../model/json.ts';
import { packageRoot } from '../../platform/installation.ts';

export interface RecordedCall {
  event: string;
  payload: JsonObject;
}

/** Fake, and assembled here to keep scanners from reporting this file. */
export const FAKE_SECRET = ['sk', 'live', 'a1B2c3D4e5F6g7H8i9J0kLmN'].join('_');
const SECRET_CALL = 'toolu_tour_secret';

/** The session as the real client reported it, moved into the sandbox, with one additional call. */
export function readRecording(sandbox: { userHome: string; project: string }): RecordedCall[] {
  const file = join(packageRoot(), 'dist', 'assets', 'capture', 'sample', 'session.jsonl');
  const recorded = readFileSync(file, 'utf8')
    .replaceAll('{{PROJECT}}', inJson(sandbox.project))
    .replaceAll('{{HOME}}', inJson(sandbox.userHome))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RecordedCall);
  return withSecretCall(recorded);
}

export function isSecretCall(callId: unknown): boolean {
  return callId === SECRET_CALL;
}

/** Adds a command that prints a key: no recording should contain one, but every real session does. */
function withSecretCall(recorded: RecordedCall[]): RecordedCall[] {
  const model = recorded.find(
    ({ event, payload }) => event === 'PostToolUse' && payload.tool_name === 'Bash',
  );
  const before = recorded.findIndex(({ event }) => event === 'Stop');
  if (!model || before < 0) return recorded;
  const response = isObject(model.payload.tool_response) ? model.payload.tool_response : {};
  const payload = {
    ...model.payload,
    tool_use_id: SECRET_CALL,
    tool_input: { command: 'cat .env', description: 'Look at the settings' },
    tool_response: { ...response, stdout: `PORT=8080\nPAYMENT_KEY=${FAKE_SECRET}` },
  };
  return recorded.toSpliced(before, 0, { event: 'PostToolUse', payload });
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
