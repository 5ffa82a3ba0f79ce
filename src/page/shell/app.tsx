import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lockedBecause } from '../api/key.ts';
import { isReachable, probeWorker, workerTrouble } from '../api/worker-state.ts';
import { Feed } from '../pages/feed.tsx';
import { unseen, waiting } from '../pages/feed-state.ts';
import { Search } from '../pages/search.tsx';
import { EmptyNote, LoadingRows } from '../parts/states.tsx';
import { Announcer } from './announcer.tsx';
import { Frame } from './frame.tsx';
import { startKeys, useKeys } from './keys.ts';
import { Locked } from './locked.tsx';
import { LAZY_PAGES, listPages, PAGES } from './pages.ts';
import { navigate, place, section } from './router.ts';
import { showToast, Toasts } from './toast.tsx';

type Overlay = keyof typeof OVERLAYS | null;

const RETRY_MS = 2_000;
/** Shorter waits show nothing. */
const PATIENCE_MS = 150;
/** Some pages accept a number after their name; a memory and a session require one. */
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
      {overlay && (
        <Lazy
          key={overlay}
          load={OVERLAYS[overlay]}
          props={{ onClose: () => setOverlay(null) }}
          slow={!isReachable.value && <MissingOverlay onShown={() => setOverlay(null)} />}
          missing={<MissingOverlay onShown={() => setOverlay(null)} />}
        />
      )}
    </>
  );
}

const OVERLAYS = {
  palette: async () => (await import('./palette.tsx')).Palette,
  keys: async () => (await import('./keys-dialog.tsx')).KeysDialog,
};

function CurrentPage() {
  const name = section.value;
  if (!KNOWN_ADDRESS.test(place.value.path)) return <NotFound />;
  if (name === 'feed') return <Feed memoryId={null} />;
  if (name === 'm') return <Feed memoryId={Number(place.value.path.split('/')[2])} />;
  if (name === 'search') return <Search />;
  const load = LAZY_PAGES[name];
  return load ? (
    <Lazy key={name} load={load} props={{}} slow={<SlowPage />} missing={<MissingPage />} />
  ) : (
    <NotFound />
  );
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

/** Loads code when it is first shown. Shows `slow` while that takes long, and `missing` if it fails. */
function Lazy<P extends object>({
  load,
  props,
  slow = null,
  missing,
}: {
  load(): Promise<ComponentType<P>>;
  props: P;
  slow?: ComponentChildren;
  missing: ComponentChildren;
}) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  const [state, setState] = useState<'loading' | 'slow' | 'missing'>('loading');
  useEffect(() => {
    let isShown = true;
    const timer = setTimeout(() => setState('slow'), PATIENCE_MS);
    load()
      .finally(() => clearTimeout(timer))
      .then(
        (loaded) => isShown && setPart(() => loaded),
        () => isShown && setState('missing'),
      );
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [load]);
  if (Part) return <Part {...props} />;
  return <>{{ loading: null, slow, missing }[state]}</>;
}

function SlowPage() {
  return (
    <div class="page">
      <div class="page-inner">
        <LoadingRows rows={5} />
      </div>
    </div>
  );
}

/**
 * The worker is unreachable, or a newer version with other files. A browser may remember that a file failed to load, so
 * only reloading the document helps.
 */
function MissingPage() {
  const wasGone = useRef(false);
  useEffect(() => {
    void probeWorker();
    return isReachable.subscribe((isNow) => {
      if (isNow && wasGone.current) location.reload();
      wasGone.current = !isNow;
    });
  }, []);
  return (
    <div>
      <EmptyNote title="This page could not be loaded">
        {isReachable.value ? (
          <>
            <p>Cairn may have been updated since this tab was opened.</p>
            <p>
              <button type="button" class="btn" onClick={() => location.reload()}>
                Reload
              </button>
            </p>
          </>
        ) : (
          <p>It loads as soon as the worker answers.</p>
        )}
      </EmptyNote>
    </div>
  );
}

function MissingOverlay({ onShown }: { onShown(): void }) {
  useEffect(() => {
    const { text, command } = workerTrouble.value ?? {
      text: 'This could not be loaded.',
      command: 'Reload the page.',
    };
    showToast(`${text} ${command}`, { isError: true });
    onShown();
  }, []);
  return null;
}

/** Probes the worker until it is back. */
function useRetries(): void {
  const isGone = !isReachable.value;
  useEffect(() => {
    if (!isGone) return;
    const timer = setInterval(() => void probeWorker(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isGone]);
}

const OTHER_TITLES: Record<string, string> = { s: 'Session', m: 'Memory', open: 'Feed' };

/** Shows `(4) Cairn` for memories that arrived while the tab was hidden. */
function useTitle(): void {
  const known = PAGES.find((page) => page.section === section.value)?.name ?? OTHER_TITLES[section.value];
  const name = (KNOWN_ADDRESS.test(place.value.path) && known) || 'Page not found';
  const amount = unseen.value + waiting.value.length;
  useEffect(() => {
    document.title = `${amount > 0 ? `(${amount}) ` : ''}${name === 'Feed' ? '' : `${name} · `}Cairn`;
  }, [name, amount]);
}

/** Moves the focus like loading another document would; within the same page it stays. */
function useFocusOnPageChange(): void {
  const name = section.value === 'm' ? 'feed' : section.value;
  const before = useRef(name);
  useEffect(() => {
    if (before.current === name) return;
    before.current = name;
    if (!(document.activeElement instanceof HTMLInputElement)) document.getElementById('main')?.focus();
  }, [name]);
}
