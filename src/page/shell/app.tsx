import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, isReachable } from '../api/call.ts';
import { lockedBecause } from '../api/key.ts';
import { Feed } from '../pages/feed.tsx';
import { unseen, waiting } from '../pages/feed-state.ts';
import { Search } from '../pages/search.tsx';
import { EmptyNote } from '../parts/states.tsx';
import { Announcer } from './announcer.tsx';
import { Frame } from './frame.tsx';
import { startKeys, useKeys } from './keys.ts';
import { Locked } from './locked.tsx';
import { LAZY_PAGES, listPages, PAGES } from './pages.ts';
import { navigate, place, section } from './router.ts';
import { Toasts } from './toast.tsx';

type Overlay = 'palette' | 'keys' | null;

const RETRY_MS = 2_000;
/** Only some pages have a number after their name; a memory and a session need one. */
const KNOWN_ADDRESS = /^\/(?:[a-z]{4,}|(?:m|s|work|injections)\/\d{1,15})?$/;

export function App() {
  return lockedBecause.value === null ? <OpenApp /> : <Locked reason={lockedBecause.value} />;
}

function OpenApp() {
  const [overlay, setOverlay] = useState<Overlay>(null);
  useEffect(() => startKeys(() => setOverlay((shown) => (shown === 'palette' ? null : 'palette'))), []);
  useKeys({
    ...Object.fromEntries(
      listPages().map(({ key, name, href }) => [
        `g ${key}`,
        { label: `Go to ${name}`, run: () => navigate(href) },
      ]),
    ),
    '?': { label: 'Keyboard shortcuts', run: () => setOverlay('keys') },
  });
  useRetries();
  useTitle();
  useFocusOnPageChange();
  return (
    <>
      <Frame onShowKeys={() => setOverlay('keys')}>
        <CurrentPage />
      </Frame>
      <Toasts />
      <Announcer />
      {overlay === 'palette' && <Lazy load={loadPalette} props={{ onClose: () => setOverlay(null) }} />}
      {overlay === 'keys' && <Lazy load={loadKeysDialog} props={{ onClose: () => setOverlay(null) }} />}
    </>
  );
}

const loadPalette = async () => (await import('./palette.tsx')).Palette;
const loadKeysDialog = async () => (await import('./keys-dialog.tsx')).KeysDialog;

function CurrentPage() {
  const name = section.value;
  if (!KNOWN_ADDRESS.test(place.value.path)) return <NotFound />;
  if (name === 'feed') return <Feed memoryId={null} />;
  if (name === 'm') return <Feed memoryId={Number(place.value.path.split('/')[2])} />;
  if (name === 'search') return <Search />;
  const load = LAZY_PAGES[name];
  return load ? <Lazy key={name} load={load} props={{}} /> : <NotFound />;
}

function NotFound() {
  return (
    <div>
      <EmptyNote title="Page not found">
        <p>
          There is no page <code>{place.value.path}</code> in the viewer.
        </p>
        <p>
          <a class="btn" href="/">
            Go to the feed
          </a>
        </p>
      </EmptyNote>
    </div>
  );
}

/** Code that is loaded when it is shown first. */
function Lazy<P extends object>({ load, props }: { load(): Promise<ComponentType<P>>; props: P }) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    let isShown = true;
    void load().then((loaded) => isShown && setPart(() => loaded));
    return () => {
      isShown = false;
    };
  }, [load]);
  return Part && <Part {...props} />;
}

/** Asks until the worker is back. */
function useRetries(): void {
  const isGone = !isReachable.value;
  useEffect(() => {
    if (!isGone) return;
    const timer = setInterval(() => void get('/health', {}).catch(() => {}), RETRY_MS);
    return () => clearInterval(timer);
  }, [isGone]);
}

const OTHER_TITLES: Record<string, string> = { s: 'Session', m: 'Memory', open: 'Feed' };

/** `(4) Cairn` while one does not look. */
function useTitle(): void {
  const known = PAGES.find((page) => page.section === section.value)?.name ?? OTHER_TITLES[section.value];
  const name = (KNOWN_ADDRESS.test(place.value.path) && known) || 'Page not found';
  const amount = unseen.value + waiting.value.length;
  useEffect(() => {
    document.title = `${amount > 0 ? `(${amount}) ` : ''}${name === 'Feed' ? '' : `${name} · `}Cairn`;
  }, [name, amount]);
}

/** As after loading another document; not within the same page, where the focus stays. */
function useFocusOnPageChange(): void {
  const name = section.value === 'm' ? 'feed' : section.value;
  const before = useRef(name);
  useEffect(() => {
    if (before.current === name) return;
    before.current = name;
    if (!(document.activeElement instanceof HTMLInputElement)) document.getElementById('main')?.focus();
  }, [name]);
}
