import { signal } from '@preact/signals';

const STORED_THEME = 'cairn.theme';
const SYSTEM = matchMedia('(prefers-color-scheme: dark)');

export type Theme = 'light' | 'dark';

/** Null: follows the system. */
export const theme = signal<Theme | null>(readTheme());

/** Choosing the current theme again returns to the system's. */
export function chooseTheme(wanted: Theme): void {
  theme.value = theme.value === wanted ? null : wanted;
  if (theme.value === null) localStorage.removeItem(STORED_THEME);
  else localStorage.setItem(STORED_THEME, theme.value);
  showTheme();
}

/** Sets the name of the theme, which the styles depend on, from the person's choice or the system. */
export function startTheme(): void {
  showTheme();
  SYSTEM.addEventListener('change', showTheme);
}

function showTheme(): void {
  document.documentElement.dataset.theme = theme.value ?? (SYSTEM.matches ? 'dark' : 'light');
}

function readTheme(): Theme | null {
  const stored = localStorage.getItem(STORED_THEME);
  return stored === 'light' || stored === 'dark' ? stored : null;
}
