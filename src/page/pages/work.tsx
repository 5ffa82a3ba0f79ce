import { type Answer, get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { InlineCode } from '../parts/markdown.tsx';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useKeys } from '../shell/keys.ts';
import { place, withQuery } from '../shell/router.ts';
import { WorkItemDetails } from './work-item.tsx';
import { MODE_NAMES } from './work-modes.ts';

type WorkItem = Answer<'GET', '/api/work-items'>['workItems'][number];

/** A list of work items, or one of them. */
export function WorkPage() {
  const id = Number(place.value.path.split('/')[2]) || null;
  return (
    <PageColumn label="Work">{id === null ? <WorkList /> : <WorkItemDetails key={id} id={id} />}</PageColumn>
  );
}

function WorkList() {
  const isAll = place.value.query.get('closed') === 'true';
  const { data, error, isSlow, reload } = useAnswer(
    `work items ${isAll}`,
    (signal) => get('/api/work-items', { query: { closed: isAll ? 'true' : 'false', limit: 200 }, signal }),
    ({ what }) => what === 'work-item',
  );
  const items = data?.workItems ?? [];
  const move = (step: number) => {
    const links = [...document.querySelectorAll<HTMLElement>('.work-items a')];
    const focused = document.activeElement;
    const at = focused instanceof HTMLElement ? links.indexOf(focused) : -1;
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  };
  useKeys({
    j: { label: 'Next work item', run: () => move(1) },
    k: { label: 'Previous work item', run: () => move(-1) },
  });
  return (
    <>
      <PageHeader title="Work" lead="Goals across sessions, with their plans, tasks and handoffs.">
        <a class="btn" href={withQuery({ closed: isAll ? null : 'true' })}>
          {isAll ? 'Hide closed' : 'Show closed'}
        </a>
      </PageHeader>
      {error && !data && <ErrorNote error={error} what="Work items could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={4} />}
      {data && items.length === 0 && (
        <EmptyNote title={isAll ? 'There are no work items yet' : 'There are no open work items'}>
          <p>
            A work item begins when an agent makes a plan, or by hand:{' '}
            <CommandLine command="cairn work new <words>" />
          </p>
        </EmptyNote>
      )}
      {items.length > 0 && (
        <ul class="work-items">
          {items.map((item) => (
            <li key={item.id}>
              <WorkItemRow item={item} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function WorkItemRow({
  item: { id, name, title, mode, project, branch, nextSteps, changedAt, closedAt },
}: {
  item: WorkItem;
}) {
  return (
    <a class="card work-item" href={`/work/${id}`}>
      <span class="work-title">
        <b>
          <InlineCode text={title} />
        </b>
        <span class={mode === 'active' ? 'tag accent' : 'tag grey'}>
          {closedAt === null ? MODE_NAMES[mode] : 'closed'}
        </span>
      </span>
      <span class="quiet">
        {name} · {project}
        {branch && (
          <>
            {' '}
            · <code>{branch}</code>
          </>
        )}{' '}
        · changed <Time at={changedAt} />
      </span>
      {nextSteps !== '' && (
        <span class="quiet">
          Next: <InlineCode text={nextSteps} />
        </span>
      )}
    </a>
  );
}
