import { signal } from '@preact/signals';

const STORED_THEME = 'cairn.theme';

export type Theme = 'light' | 'dark';

/** Null: as the system has it. */
export const theme = signal<Theme | null>(readTheme());

/** Chosen twice, a theme is given back to the system. */
export function chooseTheme(wanted: Theme): void {
  theme.value = theme.value === wanted ? null : wanted;
  if (theme.value === null) localStorage.removeItem(STORED_THEME);
  else localStorage.setItem(STORED_THEME, theme.value);
  showTheme();
}

export function showTheme(): void {
  if (theme.value === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

function readTheme(): Theme | null {
  const stored = localStorage.getItem(STORED_THEME);
  return stored === 'light' || stored === 'dark' ? stored : null;
}
