import { signal } from '@preact/signals';
import { get } from './call.ts';
import { onChanges } from './live.ts';
import type { Project } from './types.ts';

/** Every page shows them, in the rail or as a filter. */
export const knownProjects = signal<Project[]>([]);

/** Counts may lag by this much: a working agent changes them all the time. */
const SETTLE_MS = 1_000;

export async function loadProjects(): Promise<void> {
  try {
    knownProjects.value = (await get('/api/projects', {})).projects;
  } catch {
    // The page itself reports errors.
  }
}

/** @returns a function that stops following. */
export function followProjects(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  void loadProjects();
  const stop = onChanges((changes) => {
    const isCounted = changes.some(
      ({ what, how }) => what === 'store' || ((what === 'session' || what === 'memory') && how !== 'changed'),
    );
    if (!isCounted) return;
    clearTimeout(timer);
    timer = setTimeout(loadProjects, SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
