import { useRef } from 'preact/hooks';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { LONGEST_QUERY } from '../../model/value-problems.ts';
import type { Project } from '../api/types.ts';
import { isReachable } from '../api/worker-state.ts';
import { isPaused, letWaitingIn, waiting } from '../pages/feed-state.ts';
import { agentName, count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { typeName } from '../parts/type-mark.tsx';
import { useKeys } from './keys.ts';
import { navigate, place, section, withQuery } from './router.ts';

/** Search and filters, both stored in the address. */
export function TopBar({
  memories,
  projects,
  agents,
}: {
  memories: number | null;
  projects: Project[];
  /** Agents that have called a hook. */
  agents: string[];
}) {
  const input = useRef<HTMLInputElement>(null);
  const isSearch = section.value === 'search';
  useKeys({ '/': { label: 'Search', run: () => input.current?.select() } });
  const type = (text: string) => {
    const href = withQuery({ q: text, m: null }, '/search');
    navigate(href, { replace: isSearch });
  };
  const hasFilters = isSearch || section.value === 'feed' || section.value === 'm';
  return (
    <header class="top">
      <label class="search">
        <Icon name="search" />
        <span class="hidden-text">Search memories</span>
        <input
          ref={input}
          type="search"
          value={isSearch ? (place.value.query.get('q') ?? '') : ''}
          placeholder={memories ? `Search ${count(memories, 'memory', 'memories')}` : 'Search memories'}
          maxLength={LONGEST_QUERY}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') input.current?.blur();
            if (event.key === 'Enter' || event.key === 'ArrowDown') {
              event.preventDefault();
              document.querySelector<HTMLElement>('.hits a')?.focus();
            }
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {hasFilters && <Filters projects={projects} agents={agents} />}
      {!isSearch && hasFilters && <LiveSwitch />}
    </header>
  );
}

function Filters({ projects, agents }: { projects: Project[]; agents: string[] }) {
  const choices = {
    project: projects.map(({ id, name }) => [String(id), name] as const),
    agent: agents.map((id) => [id, agentName(id)] as const),
    type: OBSERVATION_TYPES.map((type) => [type, typeName(type)] as const),
  };
  return (
    <div class="chips" role="group" aria-label="Filters">
      <Filter name="project" any="All projects" choices={choices.project} />
      <Filter name="agent" any="Any agent" choices={choices.agent} />
      <Filter name="type" any="Any type" choices={choices.type} />
    </div>
  );
}

function Filter({
  name,
  any,
  choices,
}: {
  name: string;
  any: string;
  choices: (readonly [value: string, label: string])[];
}) {
  const chosen = place.value.query.get(name) ?? '';
  return (
    <select
      class={chosen === '' ? 'chip' : 'chip on'}
      aria-label={any}
      value={chosen}
      onChange={(event) => navigate(withQuery({ [name]: event.currentTarget.value, m: null }))}
    >
      <option value="">{any}</option>
      {choices.map(([value, label]) => (
        <option key={value} value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Says why no new memories appear: paused by the reader, scrolled down, or the worker is unreachable. */
function LiveSwitch() {
  const held = waiting.value.length;
  const isHeld = isPaused.value || held > 0;
  const isLive = !isHeld && isReachable.value;
  const toggle = () => {
    isPaused.value = !isHeld;
    if (isHeld) letWaitingIn();
  };
  const pausedLabel = held > 0 ? `Paused, ${held} waiting` : 'Paused';
  return (
    <button type="button" class={isLive ? 'live' : 'live off'} aria-pressed={!isHeld} onClick={toggle}>
      <i class={isLive ? 'pulse' : 'pulse still'} />
      {isReachable.value ? (isHeld ? pausedLabel : 'Live') : 'Offline'}
    </button>
  );
}
