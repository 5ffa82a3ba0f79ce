import { signal } from '@preact/signals';

const spoken = signal('');
const PAUSE_MS = 5_000;
let spokenAt = 0;

/** Announces a text to screen readers, at most every five seconds. */
export function announce(text: string): void {
  if (Date.now() - spokenAt < PAUSE_MS) return;
  spokenAt = Date.now();
  spoken.value = text;
}

export function Announcer() {
  return (
    <p class="hidden-text" aria-live="polite">
      {spoken.value}
    </p>
  );
}
