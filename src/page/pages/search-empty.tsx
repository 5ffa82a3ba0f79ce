import { EmptyNote } from '../parts/states.tsx';

/** Shown before anything is typed. */
export function HowToSearch() {
  return (
    <EmptyNote title="Search all memories">
      <p>
        Results appear while you type. Words may be misspelled; the best matches come first, each with its
        reasons.
      </p>
      <dl class="operators">
        <dt>
          <code>"exact words"</code>
        </dt>
        <dd>in this order</dd>
        <dt>
          <code>-word</code>
        </dt>
        <dd>without this word</dd>
        <dt>
          <code>type:decision</code>
        </dt>
        <dd>also kind:, file:, branch:, agent:, project:</dd>
        <dt>
          <code>since:3d</code>
        </dt>
        <dd>also before: and dates such as 2026-11-10</dd>
      </dl>
    </EmptyNote>
  );
}

export function NothingFound({ words, hasFilter }: { words: string; hasFilter: boolean }) {
  return (
    <EmptyNote title={`No results for “${words}”`}>
      {hasFilter ? (
        <p>
          <a class="btn" href={`/search?q=${encodeURIComponent(words)}`}>
            Clear filters
          </a>
        </p>
      ) : (
        <p>No memory has these or similar words. Try fewer or other words.</p>
      )}
    </EmptyNote>
  );
}
