/** The result of one check. `bad`: Cairn does not work; `warn`: the person should look at it. */
export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'bad';
  message: string;
  fix?: string;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message };
}

export function warn(name: string, message: string, fix: string): Check {
  return { name, state: 'warn', message, fix };
}

export function bad(name: string, message: string, fix: string): Check {
  return { name, state: 'bad', message, fix };
}

export function worstState(checks: Check[]): Check['state'] {
  if (checks.some(({ state }) => state === 'bad')) return 'bad';
  return checks.some(({ state }) => state === 'warn') ? 'warn' : 'ok';
}
