import { computed, signal } from '@preact/signals';

/** The current location. All of it is in the address, which makes links and the back button work. */
export interface Place {
  path: string;
  query: URLSearchParams;
  hash: string;
}

export const place = signal<Place>(readPlace());
/** The first segment of the path: `feed`, `m`, `search` … */
export const section = computed(() => place.value.path.split('/')[1] || 'feed');

export function startRouter(): void {
  place.value = readPlace();
  addEventListener('popstate', () => {
    place.value = readPlace();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
    event.preventDefault();
    navigate(link.href);
  });
}

export function navigate(href: string, { replace = false } = {}): void {
  const { pathname, search, hash } = new URL(href, location.href);
  const to = pathname + search + hash;
  if (replace) history.replaceState(null, '', to);
  else if (to !== location.pathname + location.search + location.hash) history.pushState(null, '', to);
  place.value = readPlace();
}

/** The address with changed parameters. Removes those that are null or empty. */
export function withQuery(changes: Record<string, string | null>, path = place.value.path): string {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

function readPlace(): Place {
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    hash: location.hash.slice(1),
  };
}
