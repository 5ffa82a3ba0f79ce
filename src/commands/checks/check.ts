/** One thing that was looked at. `bad` means that Cairn does not do its work; `warn` that somebody should look. */
export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'bad';
  says: string;
  cure?: string;
}

export function ok(name: string, says: string): Check {
  return { name, state: 'ok', says };
}

export function warn(name: string, says: string, cure: string): Check {
  return { name, state: 'warn', says, cure };
}

export function bad(name: string, says: string, cure: string): Check {
  return { name, state: 'bad', says, cure };
}

export function worstOf(checks: Check[]): Check['state'] {
  if (checks.some(({ state }) => state === 'bad')) return 'bad';
  return checks.some(({ state }) => state === 'warn') ? 'warn' : 'ok';
}
