import { type Answer, get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { agentName, count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { InlineCode, Markdown } from '../parts/markdown.tsx';
import { PageHeader } from '../parts/page-column.tsx';
import { ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useKeys } from '../shell/keys.ts';
import { navigate } from '../shell/router.ts';
import { MODE_NAMES } from './work-modes.ts';

type Details = Answer<'GET', '/api/work-items/{id}'>;
type Handoff = Details['handoffs'][number];

/** One work item: its plan and progress, tasks, handoffs with the state of git, notes and sessions. */
export function WorkItemDetails({ id }: { id: number }) {
  const { data, error, isSlow, reload } = useAnswer(
    `work item ${id}`,
    (signal) => get('/api/work-items/{id}', { params: { id }, signal }),
    ({ what }) => what === 'work-item',
  );
  useKeys({ Escape: { label: 'Back to all work items', run: () => navigate('/work') } });
  return (
    <>
      <p class="row up">
        <a class="btn" href="/work">
          <Icon name="back" size={14} /> All work items
        </a>
      </p>
      {error && !data && (
        <ErrorNote error={error} what={`Work item ${id} cannot be shown`} onRetry={reload} />
      )}
      {!error && !data && isSlow && <LoadingRows rows={5} />}
      {data && <Story details={data} />}
    </>
  );
}

function Story({ details }: { details: Details }) {
  const { workItem, plans, tasks, handoffs, notes, sessions, decisions } = details;
  const plan = [...plans].sort((one, other) => other.version - one.version)[0];
  const { mode, closedAt, project, branch, nextSteps, nextStepsAt } = workItem;
  return (
    <>
      <PageHeader
        title={<InlineCode text={workItem.title} />}
        lead={
          <>
            {workItem.name} · {project}
            {branch && (
              <>
                {' '}
                · <code>{branch}</code>
              </>
            )}{' '}
            · {closedAt === null ? MODE_NAMES[mode] : 'closed'} · opened <Time at={workItem.openedAt} />
          </>
        }
      />
      <Tasks tasks={tasks} />
      {nextSteps !== '' && (
        <section class="card">
          <h2>
            Next steps{' '}
            <small>
              <Time at={nextStepsAt} />
            </small>
          </h2>
          <Markdown text={nextSteps} />
        </section>
      )}
      {plan && (
        <section class="card">
          <h2>
            Plan{' '}
            <small>
              version {plan.version}, {plan.state}, <Time at={plan.decidedAt ?? plan.at} />
            </small>
          </h2>
          <Markdown text={plan.text} />
        </section>
      )}
      {handoffs.map((handoff) => (
        <HandoffCard key={handoff.id} handoff={handoff} />
      ))}
      {decisions.length > 0 && (
        <section class="card">
          <h2>Decisions</h2>
          <List items={decisions} />
        </section>
      )}
      {notes.length > 0 && (
        <section class="card">
          <h2>Notes</h2>
          <List items={notes.map(({ text }) => text)} />
        </section>
      )}
      {sessions.length > 0 && (
        <section class="card">
          <h2>Sessions</h2>
          <ul class="facts">
            {sessions.map(({ agent, agentSession, boundAt, endedAt }) => (
              <li key={agentSession}>
                {agentName(agent)} <code>{agentSession}</code>, since <Time at={boundAt} />
                {endedAt === null && <span class="tag accent">open</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const TASK_NAMES = { open: 'open', doing: 'in progress', done: 'done', dropped: 'dropped' };

function Tasks({ tasks }: { tasks: Details['tasks'] }) {
  const wanted = tasks.filter(({ state }) => state !== 'dropped');
  const done = wanted.filter(({ state }) => state === 'done').length;
  return (
    <section class="card">
      <h2>
        Tasks{' '}
        <small>{wanted.length === 0 ? 'none yet' : `${done} of ${count(wanted.length, 'task')} done`}</small>
      </h2>
      {wanted.length > 0 && <progress max={wanted.length} value={done} aria-label="Tasks done" />}
      <ol class="tasks">
        {tasks.map(({ id, number, subject, description, state }) => (
          <li key={id} class={`task-${state}`}>
            <span class="num">{number}</span>
            <span>
              <InlineCode text={subject} />
              {description !== '' && (
                <small>
                  <InlineCode text={description} />
                </small>
              )}
            </span>
            <span class={state === 'doing' ? 'tag accent' : 'tag grey'}>{TASK_NAMES[state]}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function HandoffCard({ handoff: { number, state, at, by, parts, git, givenTo } }: { handoff: Handoff }) {
  const sections = [
    { title: 'Goal', items: [parts.goal] },
    { title: 'State', items: [parts.state] },
    { title: 'Decisions', items: parts.decisions },
    { title: 'Dead ends', items: parts.deadEnds },
    { title: 'Files', items: parts.files.map(({ path, what }) => (what === '' ? path : `${path}: ${what}`)) },
    { title: 'Questions', items: parts.questions },
    { title: 'Next steps', items: parts.nextSteps },
    { title: 'Note', items: [parts.note] },
  ];
  return (
    <section class="card">
      <h2>
        Handoff {number}{' '}
        <small>
          {state}
          {givenTo && ` to ${givenTo}`}, by the{' '}
          {by === 'meter' ? 'meter, because the window was nearly full' : by}, <Time at={at} />
        </small>
      </h2>
      <dl class="handoff">
        {sections.map(({ title, items }) => {
          const nonEmpty = items.filter((item) => item !== '');
          return (
            nonEmpty.length > 0 && (
              <div key={title}>
                <dt>{title}</dt>
                <dd>
                  {nonEmpty.length === 1 ? (
                    <InlineCode text={nonEmpty[0] ?? ''} />
                  ) : (
                    <List items={nonEmpty} />
                  )}
                </dd>
              </div>
            )
          );
        })}
        {git && (
          <div>
            <dt>Git</dt>
            <dd>
              {git.branch && <code>{git.branch}</code>}{' '}
              {git.head && (
                <>
                  at <code>{git.head.slice(0, 8)}</code>
                </>
              )}
              {git.ahead ? `, ${git.ahead} ahead` : ''}
              {git.behind ? `, ${git.behind} behind` : ''}
              {git.dirty.length > 0 && (
                <>
                  , {count(git.dirty.length + git.moreDirty, 'changed file')}: {git.dirty.join(', ')}
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function List({ items }: { items: string[] }) {
  return (
    <ul class="facts">
      {items.map((item) => (
        <li key={item}>
          <InlineCode text={item} />
        </li>
      ))}
    </ul>
  );
}
