import { signal } from '@preact/signals';

const STORED_THEME = 'cairn.theme';
const SYSTEM = matchMedia('(prefers-color-scheme: dark)');

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

/** The styles know a theme by its name alone, chosen by a person or by the system. */
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
