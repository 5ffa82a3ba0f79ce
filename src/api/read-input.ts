import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { describeIssue } from '../model/value-problems.ts';
import { Problem } from './problem.ts';
import type { Input, Route } from './route.ts';

const LONGEST_BODY = 64 * 1_024;
const MOST_PROBLEMS = 5;

/** Reads and checks every part of a request that its route declares. @throws Problem */
export async function readInput<R extends Route>(
  route: R,
  request: IncomingMessage,
  { params, search }: { params: Record<string, string>; search: URLSearchParams },
): Promise<Input<R>> {
  const input = {
    params: parse(route.params, params, 'the path'),
    query: parse(route.query, readQuery(search), 'the query'),
    body: route.body ? parse(route.body, await readBody(request), 'the body') : {},
  };
  return input as Input<R>;
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, where: string): unknown {
  const checked = z.safeParse(schema ?? z.strictObject({}), value);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.slice(0, MOST_PROBLEMS).map(describeIssue);
  throw new Problem(400, `Wrong values in ${where}: ${problems.join('; ')}`);
}

function readQuery(search: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(values, name)) throw new Problem(400, `${name} is given twice.`);
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  return values;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > LONGEST_BODY) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > LONGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Problem(400, 'The body is not valid JSON.');
  }
}

function tooLarge(): Problem {
  return new Problem(413, `A body may have at most ${LONGEST_BODY} bytes.`, { connection: 'close' });
}
