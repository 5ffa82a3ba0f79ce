import { signal } from '@preact/signals';

const STORED_KEY = 'cairn.key';

/** Why there is no key; null while there is one. */
export const lockedBecause = signal<string | null>(
  localStorage.getItem(STORED_KEY) === null ? 'This browser does not have access yet.' : null,
);

/** Another tab got a key, or found that the key is no longer valid. */
addEventListener('storage', ({ key, newValue }) => {
  if (key === STORED_KEY)
    lockedBecause.value = newValue === null ? 'This browser no longer has access.' : null;
});

export function readKey(): string | null {
  return localStorage.getItem(STORED_KEY);
}

export function forgetKey(reason: string): void {
  localStorage.removeItem(STORED_KEY);
  lockedBecause.value = withoutCommand(reason);
}

/** Exchanges the code in the address (`/open#CODE/m/12`) for a key. Removes the code from the address first. */
export async function exchangeCode(): Promise<void> {
  if (location.pathname !== '/open') return;
  const [, code = '', path = '/'] = /^([^/]*)(.*)$/.exec(location.hash.slice(1)) ?? [];
  const { pathname, search } = new URL(path || '/', location.origin);
  history.replaceState(null, '', pathname + search);
  if (code === '') return;
  try {
    const response = await fetch('/api/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const answer = await response.json();
    if (response.ok) {
      localStorage.setItem(STORED_KEY, answer.key);
      lockedBecause.value = null;
    } else if (readKey() === null) lockedBecause.value = withoutCommand(answer.detail);
  } catch {
    if (readKey() === null) lockedBecause.value = 'The worker is not responding.';
  }
}

/** Removes the command, which the page shows separately. */
function withoutCommand(reason: string): string {
  return reason.replace(/ [^.]*: cairn open\.?$/, '');
}
