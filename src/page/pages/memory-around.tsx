import { get } from '../api/call.ts';
import type { Memory } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { InlineCode } from '../parts/markdown.tsx';
import { Time } from '../parts/time.tsx';
import { TypeMark } from '../parts/type-mark.tsx';
import { withQuery } from '../shell/router.ts';

/** Memories and prompts from around the same time. */
export function Around({ memory: { id, projectId } }: { memory: Memory }) {
  const project = projectId === null ? {} : { project: projectId };
  const { data } = useAnswer(`around ${id}`, (signal) =>
    get('/api/timeline', { query: { around: String(id), before: 2, after: 2, ...project }, signal }),
  );
  if (!data || data.entries.length < 2) return null;
  return (
    <section class="part">
      <h2>Around the same time</h2>
      <ul class="around">
        {data.entries.map((entry) => {
          const number = /^#(\d+)$/.exec(entry.id)?.[1];
          const inside = (
            <>
              <TypeMark type={entry.type} isSmall />
              <span>
                <InlineCode text={entry.title} />
              </span>
              <small>
                <Time at={entry.at} form="clock" />
              </small>
            </>
          );
          const isThis = number === String(id);
          return (
            <li key={entry.id} class={isThis ? 'this' : undefined}>
              {number && !isThis ? (
                <a href={withQuery({}, `/m/${number}`)}>{inside}</a>
              ) : (
                <span>{inside}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
