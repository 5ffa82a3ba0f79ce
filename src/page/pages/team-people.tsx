import { type Answer, get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { count } from '../parts/format.ts';
import { ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

type People = Answer<'GET', '/api/team/people'>;

/** Asks the server for the members of the team, and for machines that have not confirmed deletions. */
export function TeamPeople() {
  const { data, error, isSlow, reload } = useAnswer('team people', (signal) =>
    get('/api/team/people', { signal }),
  );
  return (
    <>
      {error && <ErrorNote error={error} what="Members and machines could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={3} />}
      {data && <Members members={data.members} />}
      {data && <Machines machines={data.machines} />}
    </>
  );
}

function Members({ members }: { members: People['members'] }) {
  return (
    <section class="card">
      <h2>
        Members <small>{count(members.length, 'member')}</small>
      </h2>
      <ul class="checks team-list">
        {members.map(({ name, isMe, isReadOnly, seesAllProjects, hasAccess }) => (
          <li key={name}>
            <span class={hasAccess ? 'tag accent' : 'tag grey'}>{hasAccess ? 'member' : 'no access'}</span>
            <span>
              <b>{name}</b>{' '}
              <small>
                {[isMe && 'you', isReadOnly && 'reads only', !seesAllProjects && 'sees some projects']
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const STATES = { joined: 'joined', invited: 'invited', revoked: 'no longer has access' };

function Machines({ machines }: { machines: People['machines'] }) {
  const late = machines.filter(({ unconfirmed }) => unconfirmed > 0);
  return (
    <section class="card">
      <h2>Machines</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Machine</th>
            <th scope="col">State</th>
            <th scope="col">Last seen</th>
            <th scope="col">Forgotten</th>
          </tr>
        </thead>
        <tbody>
          {machines.map(({ member, label, isThis, state, lastSeen, unconfirmed }, index) => (
            <tr key={index}>
              <td>{member}</td>
              <td>
                {label ?? '–'} {isThis && <span class="tag accent">this machine</span>}
              </td>
              <td>{STATES[state]}</td>
              <td>{lastSeen === null ? 'never' : <Time at={lastSeen} />}</td>
              <td>
                {state === 'joined' &&
                  (unconfirmed > 0 ? (
                    <span class="tag warn">{count(unconfirmed, 'deletion')} not confirmed</span>
                  ) : (
                    'all confirmed'
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {late.length > 0 && (
        <p class="quiet">
          A machine deletes what was forgotten at its next sync. Until then it keeps its copy.
        </p>
      )}
    </section>
  );
}
