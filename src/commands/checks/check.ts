/** The result of one check. `bad`: Cairn does not work; `warn`: the person should look at it. */
export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'bad';
  says: string;
  fix?: string;
}

export function ok(name: string, says: string): Check {
  return { name, state: 'ok', says };
}

export function warn(name: string, says: string, fix: string): Check {
  return { name, state: 'warn', says, fix };
}

export function bad(name: string, says: string, fix: string): Check {
  return { name, state: 'bad', says, fix };
}

export function worstState(checks: Check[]): Check['state'] {
  if (checks.some(({ state }) => state === 'bad')) return 'bad';
  return checks.some(({ state }) => state === 'warn') ? 'warn' : 'ok';
}
