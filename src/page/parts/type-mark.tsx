import type { Memory } from '../api/types.ts';
import { Icon, isIcon } from './icon.tsx';

/** `how-it-works` becomes `How it works`. Also used for summaries, notes and prompts. */
export function typeName(type: string): string {
  return (type.charAt(0).toUpperCase() + type.slice(1)).replaceAll('-', ' ');
}

export function typeOf({ type, kind }: Pick<Memory, 'type' | 'kind'>): string {
  return type ?? kind;
}

/** The coloured square before a memory. The word is for people who see neither colour nor icon. */
export function TypeMark({ type, isSmall = false }: { type: string; isSmall?: boolean }) {
  return (
    <span class={`mark t-${type}${isSmall ? ' small' : ''}`} title={typeName(type)}>
      <Icon name={isIcon(type) ? type : 'note'} size={isSmall ? 12 : 14} />
      <span class="hidden-text">{typeName(type)}: </span>
    </span>
  );
}
