import * as z from 'zod/mini';
import type { Environment } from '../../config/environment.ts';
import type { CurationOptions } from '../../curation/options.ts';
import type { Location } from '../../memory/locate.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Redacted } from '../../model/redacted.ts';
import { readArguments } from './arguments.ts';

export interface Tool {
  name: string;
  listed: JsonObject;
  /** @throws ToolError for errors that the model can correct. */
  run(args: unknown, call: ToolContext): ToolAnswer | Promise<ToolAnswer>;
}

/** The caller of a tool, and everything from outside that a tool may use. */
export interface ToolContext extends CurationOptions, Location {
  env: Environment;
  agent: string;
  agentSession: string;
}

/** Stands for the session if the client does not report one. */
export const NO_SESSION = 'unknown';

export interface ToolAnswer {
  text: string;
  structure: JsonObject;
  /** The memories in this answer, which are recorded as given. */
  given?: { memoryId: number; tokens: number; reason: string; claims?: number[] }[];
}

/** Hints for the client, which may ask the person before it calls a tool that changes something. */
export const READ_ONLY = { readOnlyHint: true };
export const ADDITIVE = { destructiveHint: false };
export const DESTRUCTIVE = { destructiveHint: true };

interface Definition<Input extends z.ZodMiniObject> {
  name: string;
  description: string;
  input: Input;
  annotations: JsonObject;
  run(input: Redacted<z.output<Input>>, call: ToolContext): ToolAnswer | Promise<ToolAnswer>;
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

/** Removes keywords that a model does not need: the schema is part of every session. */
function schemaOf(input: z.ZodMiniObject): JsonObject {
  const { $schema, additionalProperties, ...schema } = z.toJSONSchema(input);
  return JSON.parse(JSON.stringify(schema, (key, value) => (LIMITS.includes(key) ? undefined : value)));
}

/** Limits are removed too: a model learns of one only by exceeding it. */
const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'];
