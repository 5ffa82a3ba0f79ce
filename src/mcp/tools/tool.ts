import * as z from 'zod/mini';
import type { CurationWorld } from '../../curation/world.ts';
import type { JsonObject } from '../../model/json.ts';
import type { ProjectName } from '../../model/project.ts';
import type { Redacted } from '../../model/redacted.ts';
import { readArguments } from './arguments.ts';

/** One tool as the rest of the server sees it. */
export interface Tool {
  name: string;
  /** As `tools/list` shows it. */
  listed: JsonObject;
  /** @throws ToolTrouble for whatever the model can put right. */
  run(args: unknown, scene: Scene): Answer | Promise<Answer>;
}

/** Where a tool is called: everything of the outside world that a tool may ask for. */
export interface Scene extends CurationWorld {
  /** The folder the agent works in. */
  folder: string;
  /** The top of its checkout; the folder itself outside git. */
  top: string;
  branch?: string;
  /** Null when nothing was captured here yet. */
  project: ProjectName | null;
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
  run(input: Redacted<z.output<Input>>, scene: Scene): Answer | Promise<Answer>;
}

export function defineTool<Input extends z.ZodMiniObject>(definition: Definition<Input>): Tool {
  const { name, description, input, annotations, run } = definition;
  const inputSchema = schemaOf(input);
  return {
    name,
    listed: { name, description, inputSchema, annotations },
    run: (args, scene) => run(readArguments(name, input, inputSchema, args), scene),
  };
}

/** Without what tells a model nothing: it is read in every session. */
function schemaOf(input: z.ZodMiniObject): JsonObject {
  const { $schema, additionalProperties, ...schema } = z.toJSONSchema(input);
  return JSON.parse(JSON.stringify(schema, (key, value) => (LIMITS.includes(key) ? undefined : value)));
}

/** Numbers that are too large become what is possible; for the sizes of texts and lists see limits.ts. */
const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];

export function atMost(most: number, wanted: number): number {
  return Math.min(most, Math.max(0, wanted));
}
