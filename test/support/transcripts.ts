import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { parseLines } from './json-lines.ts';
import type { World } from './world.ts';

export interface Transcripts {
  transcript: JsonObject[];
  /** By the subagent's id. */
  subagentTranscripts: Record<string, JsonObject[]>;
}

/** Found by the session's id, however the client encodes the project's path. */
export async function readTranscripts(world: World, sessionId: string): Promise<Transcripts> {
  const found: Transcripts = { transcript: [], subagentTranscripts: {} };
  if (sessionId === '') return found;
  const projects = join(world.home, '.claude', 'projects');
  const paths = await readdir(projects, { recursive: true }).catch(() => []);
  for (const path of paths.filter((file) => file.includes(sessionId) && file.endsWith('.jsonl'))) {
    const lines = parseLines(await readFile(join(projects, path), 'utf8'));
    const name = basename(path, '.jsonl');
    if (name === sessionId) found.transcript.push(...lines);
    else if (name.startsWith('agent-')) found.subagentTranscripts[name.slice('agent-'.length)] = lines;
  }
  return found;
}

export interface TranscriptCall {
  tool: Json;
  /** The result that the model got; null if the transcript has none. */
  result: Json;
}

/** The tool calls of a transcript by their ids. */
export function toolCallsIn(transcript: JsonObject[]): Map<string, TranscriptCall> {
  const calls = new Map<string, TranscriptCall>();
  for (const block of transcript.flatMap(contentBlocks)) {
    if (block.type === 'tool_use' && typeof block.id === 'string') {
      calls.set(block.id, { tool: block.name ?? null, result: null });
    }
    if (block.type === 'tool_result' && typeof block.tool_use_id === 'string') {
      const call = calls.get(block.tool_use_id);
      if (call) call.result = block.content ?? null;
    }
  }
  return calls;
}

function contentBlocks(line: JsonObject): JsonObject[] {
  const content = isObject(line.message) ? line.message.content : null;
  return Array.isArray(content) ? content.filter(isObject) : [];
}
