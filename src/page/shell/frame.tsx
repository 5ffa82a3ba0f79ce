import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { get } from '../api/call.ts';
import { followProjects, knownProjects } from '../api/known-projects.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable, workerTrouble } from '../api/worker-state.ts';
import { waiting } from '../pages/feed-state.ts';
import { count, firstLetter, formatNumber } from '../parts/format.ts';
import { Brand, Icon } from '../parts/icon.tsx';
import { hasTeam, listPages, type PageLink } from './pages.ts';
import { place, section } from './router.ts';
import { chooseTheme, theme } from './theme.ts';
import { TopBar } from './top-bar.tsx';

const MOST_PROJECTS = 8;

/** The rail, the bars and the landmarks around each page. */
export function Frame({ children, onShowKeys }: { children: ComponentChildren; onShowKeys(): void }) {
  const { data: health } = useAnswer('health', (signal) => get('/api/health', { signal }), isCounted);
  const { data: shared } = useAnswer('team', (signal) => get('/api/team', { signal }));
  useEffect(followProjects, []);
  useEffect(() => {
    hasTeam.value = shared?.team != null;
  }, [shared]);
  const projects = knownProjects.value;
  return (
    <div class="app">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="rail">
        <a class="brand" href="/">
          <Brand />
          Cairn
        </a>
        <PageLinks />
        {projects.length > 0 && (
          <>
            <h2 id="projects-title">Projects</h2>
            <nav class="nav" aria-labelledby="projects-title">
              {projects.slice(0, MOST_PROJECTS).map(({ id, name, memories, isSample }) => (
                <a
                  key={id}
                  href={`/?project=${id}`}
                  aria-current={place.value.query.get('project') === String(id) ? 'true' : undefined}
                >
                  <i class="letter" aria-hidden="true">
                    {firstLetter(name)}
                  </i>
                  <span class="cut">{name}</span>
                  {isSample && <span class="tag accent">sample</span>}
                  <span class="rail-count num">
                    {formatNumber(memories)}
                    <span class="hidden-text"> memories</span>
                  </span>
                </a>
              ))}
            </nav>
          </>
        )}
        <p class="rail-foot grow">
          <i class={isReachable.value ? 'dot' : 'dot off'} />
          {isReachable.value ? describeWorker(health?.stored.openTurns) : 'Worker not available'}
        </p>
        <div class="rail-foot">
          <button type="button" class="keys-button" onClick={onShowKeys}>
            <kbd aria-hidden="true">?</kbd> shortcuts
          </button>
          <ThemeSwitch />
        </div>
      </div>
      <div class="column">
        {workerTrouble.value && (
          <p class="gone" role="alert">
            {workerTrouble.value.text} <code>{workerTrouble.value.command}</code>
          </p>
        )}
        <TopBar
          memories={health?.stored.memories ?? null}
          projects={projects}
          agents={[...new Set(health?.hooks.map(({ agent }) => agent))]}
        />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <PageTabs />
    </div>
  );
}

const isCounted = ({ what, how }: { what: string; how: string }) =>
  what === 'turn' || (what === 'memory' && how !== 'changed');

function describeWorker(openTurns: number | undefined): string {
  return openTurns ? `Working, ${count(openTurns, 'turn')} open` : 'Worker running';
}

/** A memory counts as part of the feed. */
const isCurrentPage = (name: string) => name === (section.value === 'm' ? 'feed' : section.value);

function PageLinks() {
  return (
    <nav class="nav" aria-label="Pages">
      {listPages().map(({ section: name, href, name: label, icon }) => (
        <a key={name} href={href} aria-current={isCurrentPage(name) ? 'page' : undefined}>
          <Icon name={icon} />
          {label}
          {name === 'feed' && waiting.value.length > 0 && (
            <span class="rail-count num">{waiting.value.length} new</span>
          )}
        </a>
      ))}
    </nav>
  );
}

const MOST_TABS = 5;

/** Tabs at the bottom of a narrow screen. */
function PageTabs() {
  const pages = listPages();
  const shown = pages.length <= MOST_TABS ? pages : pages.slice(0, MOST_TABS - 1);
  const rest = pages.slice(shown.length);
  return (
    <nav class="tabs" aria-label="Pages, at the bottom">
      {shown.map(({ section: name, href, name: label, icon }) => (
        <a key={name} href={href} aria-current={isCurrentPage(name) ? 'page' : undefined}>
          <Icon name={icon} size={20} />
          {label}
        </a>
      ))}
      {rest.length > 0 && <More pages={rest} />}
    </nav>
  );
}

/** The remaining pages and the theme, because a narrow screen has no rail. Escape or a tap elsewhere closes it. */
function More({ pages }: { pages: PageLink[] }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute('open');
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !details.current?.contains(target)) close();
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, []);
  const isCurrent = pages.some(({ section: name }) => isCurrentPage(name));
  return (
    <details
      class={isCurrent ? 'more on' : 'more'}
      ref={details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.preventDefault();
        close();
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary>
        <Icon name="more" size={20} />
        More
      </summary>
      <div>
        {pages.map(({ section: name, href, name: label, icon }) => (
          <a key={name} href={href} aria-current={isCurrentPage(name) ? 'page' : undefined} onClick={close}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
        <p class="more-theme">
          Theme
          <ThemeSwitch />
        </p>
      </div>
    </details>
  );
}

function ThemeSwitch() {
  return (
    <fieldset class="theme" aria-label="Theme">
      <button
        type="button"
        aria-label="Light"
        aria-pressed={theme.value === 'light'}
        onClick={() => chooseTheme('light')}
      >
        <Icon name="sun" size={14} />
      </button>
      <button
        type="button"
        aria-label="Dark"
        aria-pressed={theme.value === 'dark'}
        onClick={() => chooseTheme('dark')}
      >
        <Icon name="moon" size={14} />
      </button>
    </fieldset>
  );
}
