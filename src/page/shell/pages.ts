import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';

export interface PageLink {
  section: string;
  href: string;
  name: string;
  icon: IconName;
  /** The key after `g`. */
  key: string;
}

/** In the order of the rail. */
export const PAGES: PageLink[] = [
  { section: 'feed', href: '/', name: 'Feed', icon: 'feed', key: 'f' },
  { section: 'search', href: '/search', name: 'Search', icon: 'search', key: 's' },
  { section: 'timeline', href: '/timeline', name: 'Timeline', icon: 'timeline', key: 't' },
  { section: 'injections', href: '/injections', name: 'Injections', icon: 'injections', key: 'i' },
  { section: 'work', href: '/work', name: 'Work', icon: 'work', key: 'w' },
  { section: 'health', href: '/health', name: 'Health', icon: 'health', key: 'h' },
  { section: 'stats', href: '/stats', name: 'Statistics', icon: 'stats', key: 'a' },
  { section: 'settings', href: '/settings', name: 'Settings', icon: 'settings', key: 'e' },
  { section: 'projects', href: '/projects', name: 'Projects', icon: 'projects', key: 'p' },
  { section: 'team', href: '/team', name: 'Team', icon: 'team', key: 'm' },
];

/** Known after the first answer. Without a team its page is not listed. */
export const hasTeam = signal(false);

export function listPages(): PageLink[] {
  return PAGES.filter(({ section }) => section !== 'team' || hasTeam.value);
}

/** Loaded when first opened. The feed and the search are part of the first script. */
export const LAZY_PAGES: Record<string, () => Promise<ComponentType>> = {
  s: async () => (await import('../pages/session.tsx')).SessionPage,
  timeline: async () => (await import('../pages/timeline.tsx')).TimelinePage,
  injections: async () => (await import('../pages/injections.tsx')).InjectionsPage,
  health: async () => (await import('../pages/health.tsx')).HealthPage,
  work: async () => (await import('../pages/work.tsx')).WorkPage,
  settings: async () => (await import('../pages/settings.tsx')).SettingsPage,
  stats: async () => (await import('../pages/stats.tsx')).StatsPage,
  team: async () => (await import('../pages/team.tsx')).TeamPage,
  projects: async () => (await import('../pages/projects.tsx')).ProjectsPage,
};
