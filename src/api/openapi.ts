import * as z from 'zod/mini';
import { parameterNames } from './match-route.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes/all.ts';

type JsonSchema = Record<string, unknown>;

/** The OpenAPI document, which the build creates. */
export function describeApi(version: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const path = paths[route.path] ?? {};
    paths[route.path] = { ...path, [route.method.toLowerCase()]: describeRoute(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cairn, local API',
      version,
      description: 'Served by the worker on 127.0.0.1. Get a key with: cairn open. See docs/api.md.',
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '20000' } } }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key from POST /api/keys' },
        token: { type: 'http', scheme: 'bearer', description: "The home's own token, for cairn open only" },
      },
      schemas: { Problem: schemaOf(problem) },
    },
  };
}

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  request: z.string(),
});

function describeRoute(name: string, route: Route): JsonSchema {
  const { summary, access, body, answer, status = 200 } = route;
  const content = answer
    ? { 'application/json': { schema: schemaOf(answer) } }
    : { 'text/event-stream': { schema: { type: 'string' } } };
  return {
    operationId: name,
    summary,
    security: access === 'open' ? [] : [{ [access]: [] }],
    parameters: describeParameters(route),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } },
    }),
    responses: {
      [status]: { description: 'The answer', content },
      default: {
        description: 'What is wrong',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function describeParameters(route: Route): JsonSchema[] {
  const inPath = parameterNames(route);
  const fields = (schema: z.ZodMiniObject | undefined) =>
    (schema ? schemaOf(schema) : {}) as { properties?: Record<string, JsonSchema>; required?: string[] };
  const query = fields(route.query);
  return [
    ...inPath.map((name) => ({
      ...{ name, in: 'path', required: true },
      schema: fields(route.params).properties?.[name] ?? { type: 'string' },
    })),
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      ...{ name, in: 'query', required: isRequired(schema, query.required, name) },
      schema,
    })),
  ];
}

/** A parameter with a default is optional. */
function isRequired(schema: JsonSchema, required: string[] | undefined, name: string): boolean {
  return !('default' in schema) && (required ?? []).includes(name);
}

/** Describes the value after the check: numbers in a query are numbers. */
function schemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return rest;
}
