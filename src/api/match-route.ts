import type { Route, Routes } from './route.ts';

export type Match<Name extends string> =
  | { found: 'route'; name: Name; params: Record<string, string> }
  /** The path exists, but only with these methods. */
  | { found: 'path'; allowed: string[] }
  | { found: 'nothing' };

/** Parameters are one segment each and stay text: none is ever used as a path. */
export function createMatcher<R extends Routes>(routes: R) {
  const patterns = Object.entries(routes).map(([name, route]) => ({
    name: name as keyof R & string,
    route,
    segments: route.path.split('/'),
  }));
  return (method: string, path: string): Match<keyof R & string> => {
    const parts = path.split('/');
    const allowed: string[] = [];
    for (const { name, route, segments } of patterns) {
      const params = readParams(segments, parts);
      if (!params) continue;
      if (route.method === method) return { found: 'route', name, params };
      allowed.push(route.method);
    }
    return allowed.length > 0 ? { found: 'path', allowed } : { found: 'nothing' };
  };
}

export function parameterNames({ path }: Pick<Route, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}

function readParams(segments: string[], parts: string[]): Record<string, string> | null {
  if (segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = parts[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === '') return null;
    if (name !== undefined) params[name] = decode(value);
  }
  return params;
}

/** A broken escape is checked and refused like any other text. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
