import { useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { knownProjects } from '../api/known-projects.ts';
import { onChanges } from '../api/live.ts';
import { isReachable } from '../api/worker-state.ts';
import { SampleNote } from '../parts/sample.tsx';
import { ErrorNote, LoadingRows } from '../parts/states.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { WindowedList } from '../parts/windowed-list.tsx';
import { announce } from '../shell/announcer.tsx';
import { place, withQuery } from '../shell/router.ts';
import { FeedArticle } from './feed-article.tsx';
import { EmptyFeed } from './feed-empty.tsx';
import { heightOf, linesOf } from './feed-heights.ts';
import { useFeedKeys } from './feed-keys.ts';
import {
  applyChanges,
  failure,
  feedParts,
  freshIds,
  isLoaded,
  isPaused,
  letWaitingIn,
  loadFeed,
  loadMore,
  rememberSeen,
  seen,
  unseen,
  waiting,
} from './feed-state.ts';
import { arrangeFeed, listShownIds } from './feed-turns.ts';
import { readFilter } from './filter.ts';
import { FilterBar, SelectionBar } from './forget-many.tsx';
import { MemoryPane } from './memory.tsx';

const TOP_PX = 8;

/** Running turns and new memories, with one memory next to them. */
export function Feed({ memoryId }: { memoryId: number | null }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { isNarrow, width } = useNarrow(scroller);
  const filter = readFilter(place.value.query);
  const filterKey = JSON.stringify(filter);
  const isAtTop = useCallback(() => (scroller.current?.scrollTop ?? 0) < TOP_PX, []);
  const [isDown, setDown] = useState(false);

  useEffect(() => void loadFeed(filter), [filterKey]);
  useEffect(() => onChanges((changes) => applyChanges(changes, isAtTop)), [isAtTop]);
  useEffect(() => {
    const leave = () => {
      if (document.hidden) rememberSeen();
      else unseen.value = 0;
    };
    document.addEventListener('visibilitychange', leave);
    addEventListener('pagehide', rememberSeen);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      removeEventListener('pagehide', rememberSeen);
    };
  }, []);
  useSignalEffect(() => {
    if (freshIds.value.size > 0) announce(`${freshIds.value.size} new in the feed`);
  });
  useSignalEffect(() => {
    // The feed was requested while the worker was unreachable.
    if (failure.value?.status === 0 && isReachable.value) void loadFeed(readFilter(place.peek().query));
  });

  const sample = knownProjects.value.find(({ isSample }) => isSample);
  const parts = feedParts.value;
  const list = useMemo(() => arrangeFeed(parts), [parts]);
  const space = useMemo(() => ({ isNarrow, width }), [isNarrow, width]);
  const lines = useMemo(() => list.map((item) => linesOf(item, space)), [list, space]);
  const heights = useMemo(
    () => list.map((item, index) => heightOf(item, lines[index] ?? linesOf(item, space), space)),
    [list, lines, space],
  );
  const ids = useMemo(() => listShownIds(list), [list]);
  const newest = list.flatMap(({ memories }) => memories)[0]?.id ?? ids[0] ?? null;
  // A narrow screen shows no memory by default: it would cover the list.
  const currentId = memoryId ?? (isNarrow ? null : newest);

  const showWaiting = () => {
    isPaused.value = false;
    scroller.current?.scrollTo({ top: 0 });
    letWaitingIn();
  };
  useFeedKeys({ list, ids, heights, scroller, currentId, memoryId, showWaiting });

  const isEmpty = isLoaded.value && list.length === 0;
  return (
    <div class={memoryId === null ? 'split' : 'split memory-open'}>
      <section
        class="scroll feed-column"
        ref={scroller}
        tabIndex={0}
        aria-label="Feed"
        onScroll={() => setDown(!isAtTop())}
      >
        <h1 class="hidden-text">Feed</h1>
        {waiting.value.length > 0 && (
          <button type="button" class="pill" onClick={showWaiting}>
            {waiting.value.length} new
          </button>
        )}
        <div class="feed">
          {sample && <SampleNote project={sample} />}
          {filterKey !== '{}' && <FilterBar filter={filter} />}
          {failure.value && !isLoaded.value ? (
            <ErrorNote
              error={failure.value}
              what="The feed could not be loaded"
              onRetry={() => loadFeed(filter)}
            />
          ) : !isLoaded.value && list.length === 0 ? (
            <LoadingRows />
          ) : isEmpty ? (
            <EmptyFeed isFiltered={filterKey !== '{}'} />
          ) : (
            <WindowedList
              items={list}
              heights={heights}
              scroller={scroller}
              onNearEnd={loadMore}
              label={isDown ? 'Memories' : 'Memories, newest first'}
              render={(item, index) => (
                <FeedArticle
                  key={item.key}
                  item={item}
                  lines={lines[index] ?? linesOf(item, space)}
                  position={index + 1}
                  size={parts.hasMore ? -1 : list.length}
                  currentId={currentId}
                  freshIds={freshIds.value}
                  visitedAt={seen.value.visitedAt}
                />
              )}
            />
          )}
        </div>
        <SelectionBar />
      </section>
      {currentId !== null && (
        <MemoryPane
          id={currentId}
          backHref={withQuery({}, '/')}
          nextHref={hrefAfter(ids, currentId, isNarrow)}
        />
      )}
    </div>
  );
}

/** The address of the memory below this one; on a narrow screen, that of the list. */
function hrefAfter(ids: number[], id: number, isNarrow: boolean): string {
  const next = ids[ids.indexOf(id) + 1];
  return withQuery({}, isNarrow || next === undefined ? '/' : `/m/${next}`);
}
