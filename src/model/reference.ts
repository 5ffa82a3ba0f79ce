/** How people and agents refer to records: `12` or `#12` is a memory, `p34` a prompt, `s5` a session. */
export interface Reference {
  what: 'memory' | 'prompt' | 'session';
  id: number;
}

const KINDS = { '': 'memory', '#': 'memory', p: 'prompt', s: 'session' } as const;

export function parseReference(text: string): Reference | null {
  const [, mark = '', number] = /^\s*([#ps]?)(\d{1,15})\s*$/i.exec(text) ?? [];
  const what = KINDS[mark.toLowerCase() as keyof typeof KINDS];
  return number === undefined || what === undefined ? null : { what, id: Number(number) };
}

export function formatReference({ what, id }: Reference): string {
  return { memory: '#', prompt: 'p', session: 's' }[what] + id;
}
