import { useState } from 'preact/hooks';
import { get, send } from '../api/call.ts';
import type { TeamProject, TeamState } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable } from '../api/worker-state.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { count, formatNumber } from '../parts/format.ts';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { type Trouble, Troubles } from '../parts/troubles.tsx';
import { showFailure, showToast } from '../shell/toast.tsx';
import { TeamPeople } from './team-people.tsx';
import { ShareDialog, UnshareDialog } from './team-share.tsx';

type Team = NonNullable<TeamState['team']>;

/** The members of the team, the shared projects and the state of the sync. */
export function TeamPage() {
  const { data, error, isSlow, reload } = useAnswer(
    'team',
    (signal) => get('/api/team', { signal }),
    ({ what }) => what === 'memory' || what === 'session',
  );
  return (
    <PageColumn label="Team">
      <PageHeader title="Team" lead={data?.team && `You are ${data.team.member} on ${data.team.machine}.`}>
        {data?.team && (
          <button type="button" class="btn" onClick={reload}>
            Refresh
          </button>
        )}
      </PageHeader>
      {error && !data && <ErrorNote error={error} what="The team could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={4} />}
      {data && !data.team && (
        <EmptyNote title="You are not in a team">
          <p>
            Share memories with your other machines and your colleagues through a PostgreSQL database of your
            own: <CommandLine command="cairn team create" />
          </p>
          <p>
            Join with the link of an invitation: <CommandLine command="cairn team join" />
          </p>
        </EmptyNote>
      )}
      {data?.team && (
        <>
          <Troubles troubles={listTroubles(data.team)} />
          <Figures team={data.team} />
          <Projects projects={data.projects} onChanged={reload} />
          <TeamPeople />
          <Aside team={data.team} />
        </>
      )}
    </PageColumn>
  );
}

/** Problems that prevent syncing, and the commands that fix them. */
function listTroubles({ problem, asideCount, refused, syncedAt }: Team): Trouble[] {
  return [
    ...(problem ? [{ text: problem.message, fix: fixOf(problem.reason) }] : []),
    ...(asideCount > 0
      ? [
          {
            text: `${count(asideCount, 'change')} from others could not be applied.`,
            fix: 'cairn team repair',
          },
        ]
      : []),
    ...(refused > 0
      ? [{ text: `The server has refused ${count(refused, 'change')}.`, fix: 'cairn team repair' }]
      : []),
    ...(!problem && syncedAt === null
      ? [{ text: 'Nothing has been synced yet.', fix: 'cairn team sync' }]
      : []),
  ];
}

function fixOf(reason: string): string {
  if (reason === 'access') return 'cairn team leave --with-memories';
  return reason === 'newer-schema' ? 'npm install --global cairn' : 'cairn team sync';
}

function Figures({ team: { syncedAt, pending, received, server, isEncrypted } }: { team: Team }) {
  return (
    <dl class="four num">
      <div>
        <dt>last exchange with {server}</dt>
        <dd>{syncedAt === null ? 'never' : <Time at={syncedAt} />}</dd>
      </div>
      <div>
        <dt>changes to send</dt>
        <dd>{formatNumber(pending)}</dd>
      </div>
      <div>
        <dt>memories from others</dt>
        <dd>{formatNumber(received)}</dd>
      </div>
      <div>
        <dt>what the server can read</dt>
        <dd>{isEncrypted ? 'sizes and times' : 'what is shared'}</dd>
      </div>
    </dl>
  );
}

function Projects({ projects, onChanged }: { projects: TeamProject[]; onChanged(): void }) {
  const [selected, setSelected] = useState<TeamProject | null>(null);
  const close = () => setSelected(null);
  const run = async (action: Promise<unknown>, words: string) => {
    try {
      await action;
      showToast(words);
      close();
      onChanged();
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <section class="card">
      <h2>Projects</h2>
      {projects.length === 0 && <p class="quiet">There are no projects yet.</p>}
      <ul class="team-projects">
        {projects.map((project) => (
          <li key={project.id}>
            <ShareSwitch project={project} onAsk={() => setSelected(project)} />
          </li>
        ))}
      </ul>
      {selected && !selected.isShared && (
        <ShareDialog
          project={selected}
          onClose={close}
          onShare={(withPast) =>
            run(
              send('POST', '/api/team/projects/{id}/share', {
                params: { id: selected.id },
                body: { withPast },
              }),
              `${selected.name} is shared.`,
            )
          }
        />
      )}
      {selected?.isShared && (
        <UnshareDialog
          project={selected}
          onClose={close}
          onUnshare={() =>
            run(
              send('POST', '/api/team/projects/{id}/unshare', { params: { id: selected.id }, body: {} }),
              `${selected.name} is no longer shared.`,
            )
          }
        />
      )}
    </section>
  );
}

function ShareSwitch({ project, onAsk }: { project: TeamProject; onAsk(): void }) {
  const { name, key, isShared, isRead, canWrite, pending } = project;
  const state = isShared
    ? canWrite
      ? `shared${pending > 0 ? `, ${formatNumber(pending)} to send` : ''}`
      : 'shared, read-only for you'
    : isRead
      ? 'read-only: your own memories stay private'
      : 'private';
  return (
    <>
      <button
        type="button"
        role="switch"
        class="share-switch"
        aria-checked={isShared}
        disabled={!isReachable.value || key === null}
        onClick={onAsk}
      >
        Share {name}
      </button>
      <span>
        <b>{name}</b> <small>{state}</small>
        {key === null ? (
          <small class="wide">
            It has no Git remote. Give it the same name on every machine:{' '}
            <CommandLine command="cairn team share --as <name>" />
          </small>
        ) : (
          <small class="wide mono">{key.replace(/^name:/, '')}</small>
        )}
      </span>
    </>
  );
}

function Aside({ team: { aside, asideCount } }: { team: Team }) {
  if (aside.length === 0) return null;
  return (
    <section class="card">
      <h2>
        Set aside <small>{count(asideCount, 'change')}; the others go on</small>
      </h2>
      <ul class="checks team-list">
        {aside.map(({ project, problem, at }, index) => (
          <li key={index}>
            <span class="tag warn">{project ?? 'unknown project'}</span>
            <span>
              {problem} <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
