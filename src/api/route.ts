import type * as z from 'zod/mini';
import type { RequestCall } from './options.ts';

/** A route as data. The server checks requests with it, and the OpenAPI document is made from it. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH';
  /** Parameters are in braces, as in OpenAPI. */
  path: `/${string}`;
  summary: string;
  /** `open`: the answer contains no data. `token`: only for this machine's own commands, never for a browser. */
  access: 'open' | 'key' | 'token';
  params?: z.ZodMiniObject;
  query?: z.ZodMiniObject;
  body?: z.ZodMiniObject;
  /** Null for the live stream, which writes its own response. */
  answer: z.ZodMiniType | null;
  status?: 200 | 201 | 202;
}

export type Routes = Record<string, Route>;

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : Record<string, never>;

export interface Input<R extends Route> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  body: Parsed<R['body']>;
}

type Answer<R extends Route> = R['answer'] extends z.ZodMiniType ? z.input<R['answer']> : never;

/** A handler for each route that declares an answer. @throws Problem */
export type Handlers<R extends Routes> = {
  [Name in keyof R as R[Name]['answer'] extends null ? never : Name]: (
    input: Input<R[Name]>,
    call: RequestCall,
  ) => Answer<R[Name]> | Promise<Answer<R[Name]>>;
};
