/** SVG paths of the icons on a 16 pixel grid, drawn as outlines. */
const ICONS = {
  feed: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM10.5 10.5l3.5 3.5',
  timeline:
    'M3.75 10h8.5a1.75 1.75 0 0 1 0 3.5h-8.5a1.75 1.75 0 0 1 0-3.5zM5.5 5.8h5.5a1.5 1.5 0 0 1 0 3H5.5a1.5 1.5 0 0 1 0-3zM7.3 2h1.9a1.3 1.3 0 0 1 0 2.6H7.3a1.3 1.3 0 0 1 0-2.6z',
  work: 'm2.5 4.5 1.5 1.5L6.5 3M8.5 5h5M2.5 11l1.5 1.5 2.5-3M8.5 11.5h5',
  injections: 'M2.5 3.5h11v9h-7l-3 2v-2h-1zM5.5 6.7h5M5.5 9.3h3',
  health: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  stats: 'M3 13V8M8 13V3M13 13V6',
  settings:
    'M2.5 5h5.8M11.7 5h1.8M2.5 11H4M7.4 11h6.1M11.7 5a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0zM7.4 11a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0z',
  projects: 'M2 4.5h4l1.5 1.5H14v7H2z',
  team: 'M8 5.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM2 13c0-2.2 1.8-3.5 4-3.5s4 1.3 4 3.5M10.5 4a2 2 0 0 1 0 3.6M11.5 9.8c1.6.4 2.5 1.6 2.5 3.2',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  sun: 'M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  pin: 'M9.5 2 14 6.5l-3 .8-2.6 2.6.2 3L3 7.4l3 .2 2.6-2.6zM5.5 10.5 2 14',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  back: 'M9.5 3 4.5 8l5 5',
  copy: 'M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6',
  decision: 'M8 14V9L4 5M8 9l4-4M4 8V5h3M9 5h3v3',
  preference: 'M8 13S2.5 9.8 2.5 6.2A2.8 2.8 0 0 1 8 5.1a2.8 2.8 0 0 1 5.5 1.1C13.5 9.8 8 13 8 13z',
  bugfix:
    'M11.7 8.5a3.7 3.7 0 1 1-7.4 0 3.7 3.7 0 0 1 7.4 0zM8 5v7M2 8.5h2.3M11.7 8.5H14M3.5 4.5l2 1.5M12.5 4.5l-2 1.5M3.5 12.7l2-1.4M12.5 12.7l-2-1.4',
  feature: 'M8 3v10M3 8h10',
  refactor: 'M3 6.5h8.5M9 3.8l2.7 2.7L9 9.2M13 10.5H4.5',
  change: 'm3 13 .7-2.9L10.6 3.2l2.2 2.2-6.9 6.9z',
  discovery:
    'M9.8 8a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4-6.2-4-6.2-4z',
  gotcha: 'M8 2.8 14 13H2zM8 7v2.8M8 11.4v.1',
  'how-it-works':
    'M3 3.5h4a1.5 1.5 0 0 1 1 .5 1.5 1.5 0 0 1 1-.5h4v9H9a1.5 1.5 0 0 0-1 .5 1.5 1.5 0 0 0-1-.5H3zM8 4v9',
  summary: 'M4 14V2.5h8l-2 3 2 3H4',
  note: 'M3 2.5h10v11H3zM5.5 6h5M5.5 9h3.5',
  prompt: 'M2.5 4 6 7.5 2.5 11M8 11.5h5.5',
  error: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 5v3.5M8 10.8v.1',
};

export type IconName = keyof typeof ICONS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={ICONS[name]} />
    </svg>
  );
}

export function isIcon(name: string): name is IconName {
  return Object.hasOwn(ICONS, name);
}

export function Brand() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true" class="brand-mark">
      <rect x="3" y="17.5" width="20" height="6.5" rx="3.25" />
      <rect x="6" y="10" width="14.5" height="6" rx="3" opacity=".72" />
      <rect class="top-stone" x="9" y="3.5" width="8" height="5" rx="2.5" />
    </svg>
  );
}
