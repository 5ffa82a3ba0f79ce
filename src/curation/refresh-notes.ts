import { redactValue } from '../capture/redact/redact-value.ts';
import { refreshNotes } from '../context/notes/notes.ts';
import type { CurationOptions } from './options.ts';

/** Writes changed memories into the folder notes that list them. */
export function refreshNotesOf(changed: number[], { store, settings }: CurationOptions): void {
  refreshNotes(store, { changed }, { rows: settings['notes.rows'], redact: redactValue });
}
