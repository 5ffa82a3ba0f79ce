import * as z from 'zod/mini';
import type { CurationOptions } from '../../curation/options.ts';
import type { Location } from '../../memory/locate.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Redacted } from '../../model/redacted.ts';
import { readArguments } from './arguments.ts';

/** One tool as the rest of the server sees it. */
export interface Tool {
  name: string;
  /** As `tools/list` shows it. */
  listed: JsonObject;
  /** @throws ToolError for whatever the model can put right. */
  run(args: unknown, call: ToolCall): Answer | Promise<Answer>;
}

/** By whom and where a tool is called, with everything of the outside world that a tool may ask for. */
export interface ToolCall extends CurationOptions, Location {
  agent: string;
  agentSession: string;
}

/** For a client that does not say which session it is. */
export const NO_SESSION = 'unknown';

export interface Answer {
  text: string;
  /** The same for programs. */
  structure: JsonObject;
  /** The memories that this hands to the agent, for the record. */
  given?: { memoryId: number; tokens: number; reason: string }[];
}

/** Hints for the client, which may ask the person before it calls a tool that changes something. */
export const READS = { readOnlyHint: true };
export const ADDS = { destructiveHint: false };
export const DESTROYS = { destructiveHint: true };

interface Definition<Input extends z.ZodMiniObject> {
  name: string;
  description: string;
  input: Input;
  annotations: JsonObject;
  run(input: Redacted<z.output<Input>>, call: ToolCall): Answer | Promise<Answer>;
}

export function defineTool<Input extends z.ZodMiniObject>(definition: Definition<Input>): Tool {
  const { name, description, input, annotations, run } = definition;
  const inputSchema = schemaOf(input);
  return {
    name,
    listed: { name, description, inputSchema, annotations },
    run: (args, call) => run(readArguments(name, input, inputSchema, args), call),
  };
}

/** Without what tells a model nothing: it is read in every session. */
function schemaOf(input: z.ZodMiniObject): JsonObject {
  const { $schema, additionalProperties, ...schema } = z.toJSONSchema(input);
  return JSON.parse(JSON.stringify(schema, (key, value) => (LIMITS.includes(key) ? undefined : value)));
}

/** Numbers that are too large become what is possible; for the sizes of texts and lists see limits.ts. */
const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

export function clampLimit(most: number, wanted: number): number {
  return Math.min(most, Math.max(0, wanted));
}
