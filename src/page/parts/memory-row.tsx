import type { Memory } from '../api/types.ts';
import { formatNumber } from './format.ts';
import { Icon } from './icon.tsx';
import { InlineCode } from './markdown.tsx';
import { TypeMark, typeOf } from './type-mark.tsx';

/** A memory in a list: its type, title, one line of text, number and size. */
export function MemoryRow({
  memory,
  href,
  isCurrent,
  isFresh = false,
  isSelected = false,
  titleLines = 1,
  height,
}: {
  memory: Memory;
  href: string;
  isCurrent: boolean;
  isFresh?: boolean;
  isSelected?: boolean;
  titleLines?: number;
  /** For long lists, which need the height before drawing. */
  height?: number | undefined;
}) {
  const { id, title, tokens, pinnedAt, supersededBy, author } = memory;
  return (
    <a
      class={`memory lines-${titleLines}${isFresh ? ' fresh' : ''}${isSelected ? ' selected' : ''}`}
      href={href}
      aria-current={isCurrent ? 'true' : undefined}
      data-id={id}
      style={height === undefined ? undefined : { height: `${height}px` }}
    >
      <TypeMark type={typeOf(memory)} />
      <span class="memory-title">
        <span>
          <InlineCode text={title} />
        </span>
        {isSelected && <span class="hidden-text">, selected</span>}
        {pinnedAt !== null && (
          <span class="pinned" title="Pinned">
            <Icon name="pin" size={12} />
            <span class="hidden-text">, pinned</span>
          </span>
        )}
        {author !== null && <span class="tag grey">from {author}</span>}
        {supersededBy !== null && <span class="tag grey">replaced by #{supersededBy}</span>}
      </span>
      <span class="memory-number num">
        #{id} · {formatNumber(tokens)} tokens
      </span>
      <span class="memory-line">
        <InlineCode text={lineOf(memory)} />
      </span>
    </a>
  );
}

/** The text in one line; empty if the title says everything. */
export function lineOf({ subtitle, narrative, facts }: Memory): string {
  return subtitle || firstSentence(narrative) || (facts[0] ?? '');
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
