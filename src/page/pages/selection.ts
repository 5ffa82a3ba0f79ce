import { signal } from '@preact/signals';

/** Memories selected one by one, to be forgotten together. */
export const selected = signal<ReadonlySet<number>>(new Set());

export function toggleSelected(id: number): void {
  const next = new Set(selected.value);
  if (!next.delete(id)) next.add(id);
  selected.value = next;
}

export function addSelected(ids: number[]): void {
  selected.value = new Set([...selected.value, ...ids]);
}

export function clearSelected(): void {
  selected.value = new Set();
}
