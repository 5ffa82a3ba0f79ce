import { useState } from 'preact/hooks';
import { type Answer, get, send } from '../api/call.ts';
import type { Health } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable } from '../api/worker-state.ts';
import { agentName, count, formatBytes, formatDuration, formatNumber } from '../parts/format.ts';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { Troubles } from '../parts/troubles.tsx';
import { useKeys } from '../shell/keys.ts';
import { showFailure, showToast } from '../shell/toast.tsx';
import { HealthLogs } from './health-logs.tsx';

type Job = Answer<'GET', '/api/queue'>['jobs'][number];
type Setting = Answer<'GET', '/api/settings'>['settings'][number];
type Diagnosis = Answer<'POST', '/api/doctor'>;

/** The state of every part, and commands that fix problems. */
export function HealthPage() {
  const { data, error, isSlow, reload } = useAnswer(
    'health page',
    async (signal) => {
      const [health, { jobs }, { settings, problems }, statistics] = await Promise.all([
        get('/api/health', { signal }),
        get('/api/queue', { signal }),
        get('/api/settings', { signal }),
        get('/api/statistics', { signal }),
      ]);
      return { health, jobs, settings, problems, calls: statistics.modelCallsByDay };
    },
    ({ what }) => what === 'job' || what === 'turn',
  );
  const troubles = data ? listTroubles(data) : [];
  return (
    <PageColumn label="Health">
      <PageHeader
        title="Health"
        lead={
          data &&
          (!isReachable.value
            ? 'These are the last known figures.'
            : troubles.length === 0
              ? 'Everything is running.'
              : `${count(troubles.length, 'problem')} found.`)
        }
      >
        <button type="button" class="btn" onClick={reload}>
          Refresh
        </button>
      </PageHeader>
      {error && <ErrorNote error={error} what="Health could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={5} />}
      {data && (
        <>
          <Troubles troubles={troubles} />
          <Figures health={data.health} jobs={data.jobs} />
          <Queue jobs={data.jobs} />
          <Diagnose />
          <Hooks health={data.health} />
          <Provider settings={data.settings} calls={data.calls} />
          <HealthLogs />
        </>
      )}
    </PageColumn>
  );
}

function listTroubles({ health, jobs, problems }: { health: Health; jobs: Job[]; problems: string[] }) {
  const dead = jobs.filter(({ state }) => state === 'dead').length;
  return [
    ...(dead > 0
      ? [{ text: `${count(dead, 'job')} failed and will not be retried.`, fix: 'cairn queue retry all' }]
      : []),
    ...(health.spool.torn > 0
      ? [{ text: `${count(health.spool.torn, 'spool file')} could not be read.`, fix: 'cairn doctor' }]
      : []),
    ...health.pauses.map(({ what }) => ({ text: `Capture is paused for ${what}.`, fix: 'cairn unpause' })),
    ...(health.hooks.length === 0
      ? [{ text: 'No hook has reported anything yet.', fix: 'cairn install' }]
      : []),
    ...problems.map((problem) => ({ text: problem, fix: 'cairn config list' })),
  ];
}

function Figures({ health, jobs }: { health: Health; jobs: Job[] }) {
  const { worker, spool, databaseBytes, version } = health;
  const pending = jobs.filter(({ state }) => state !== 'dead').length;
  return (
    <dl class="four num">
      <div>
        <dt>
          {isReachable.value ? 'worker running' : 'worker not available'}, Cairn {version}, process{' '}
          {worker.pid}, {formatBytes(worker.residentBytes)}
        </dt>
        <dd>{formatDuration(Date.now() - worker.startedAt)}</dd>
      </div>
      <div>
        <dt>jobs in the queue</dt>
        <dd>{formatNumber(pending)}</dd>
      </div>
      <div>
        <dt>spool files</dt>
        <dd>{formatNumber(spool.pending)}</dd>
      </div>
      <div>
        <dt>database size</dt>
        <dd>{formatBytes(databaseBytes)}</dd>
      </div>
    </dl>
  );
}

const MOST_JOBS = 50;

function Queue({ jobs }: { jobs: Job[] }) {
  const retry = async (job: number | 'all') => {
    try {
      const { queued } = await send('POST', '/api/queue/retry', { body: { job } });
      showToast(`${count(queued, 'job')} due now.`);
    } catch (error) {
      showFailure(error);
    }
  };
  const dead = jobs.filter(({ state }) => state === 'dead');
  useKeys(dead.length > 0 ? { r: { label: 'Retry failed jobs', run: () => void retry('all') } } : {});
  return (
    <section class="card">
      <h2>
        Queue <small>{describeQueue(jobs.length - dead.length, dead.length)}</small>
      </h2>
      {dead.length > 0 && (
        <p class="row">
          <button type="button" class="btn" disabled={!isReachable.value} onClick={() => retry('all')}>
            Retry all failed jobs <kbd>R</kbd>
          </button>
        </p>
      )}
      {jobs.length > 0 && (
        <table class="queue">
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">State</th>
              <th scope="col">Attempts</th>
              <th scope="col">Since</th>
              <th scope="col">
                <span class="hidden-text">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {jobs.slice(0, MOST_JOBS).map(({ id, kind, state, attempts, createdAt, error }) => (
              <tr key={id}>
                <td>
                  {kind} <span class="num">#{id}</span>
                  {error && <small class="job-error">{error}</small>}
                </td>
                <td>
                  <span class={state === 'dead' ? 'tag warn' : 'tag grey'}>
                    {state === 'dead' ? 'dead letter' : state}
                  </span>
                </td>
                <td class="num">{attempts}</td>
                <td>
                  <Time at={createdAt} />
                </td>
                <td>
                  {state !== 'leased' && (
                    <button
                      type="button"
                      class="link"
                      aria-label={`Retry job ${id}`}
                      disabled={!isReachable.value}
                      onClick={() => retry(id)}
                    >
                      Retry
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {jobs.length > MOST_JOBS && (
        <p class="quiet">And {formatNumber(jobs.length - MOST_JOBS)} more: cairn queue</p>
      )}
    </section>
  );
}

function describeQueue(pending: number, failed: number): string {
  const parts = [
    pending > 0 && `${formatNumber(pending)} pending`,
    failed > 0 && `${formatNumber(failed)} failed`,
  ];
  return parts.filter(Boolean).join(', ') || 'The queue is empty.';
}

/** Shows the output of `cairn doctor`. */
function Diagnose() {
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      setDiagnosis(await send('POST', '/api/doctor', { body: {} }));
    } catch (error) {
      showFailure(error);
    }
    setRunning(false);
  };
  const NAMES = { ok: 'ok', warn: 'warning', bad: 'problem' };
  return (
    <section class="card">
      <h2>Agents and hooks (cairn doctor)</h2>
      <p class="row">
        <button type="button" class="btn" disabled={isRunning || !isReachable.value} onClick={run}>
          {isRunning ? 'Running every hook once…' : diagnosis ? 'Run again' : 'Run diagnostics'}
        </button>
        <span class="quiet" role="status">
          {diagnosis && (diagnosis.state === 'ok' ? 'No problems found.' : 'Problems found.')}
        </span>
      </p>
      {diagnosis && (
        <ul class="checks">
          {diagnosis.checks.map(({ name, state, message, fix }) => (
            <li key={name + message}>
              <span class={state === 'ok' ? 'tag accent' : 'tag warn'}>{NAMES[state]}</span>
              <span>
                <b>{name}</b> {message}
                {fix && <small>{fix}</small>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Hooks({ health: { hooks } }: { health: Health }) {
  if (hooks.length === 0) return null;
  const agents = [...new Set(hooks.map(({ agent }) => agent))];
  return (
    <section class="card">
      <h2>Hook activity</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Hook</th>
            <th scope="col">Last call</th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {agents.flatMap((agent) =>
            hooks
              .filter((hook) => hook.agent === agent)
              .map(({ hook, via, lastAt, count: times }, index) => (
                <tr key={`${agent} ${hook} ${via}`}>
                  <td>
                    {index === 0 ? agentName(agent) : <span class="hidden-text">{agentName(agent)}</span>}
                  </td>
                  <td>
                    <code>{hook}</code>
                  </td>
                  <td>
                    <Time at={lastAt} />
                  </td>
                  <td class="num">{formatNumber(times)}</td>
                </tr>
              )),
          )}
        </tbody>
      </table>
    </section>
  );
}

function Provider({ settings, calls }: { settings: Setting[]; calls: { name: string; count: number }[] }) {
  const value = (name: string) => String(settings.find((setting) => setting.name === name)?.value ?? '');
  const today = new Date().toLocaleDateString('sv');
  const used = calls.find(({ name }) => name === today)?.count ?? 0;
  return (
    <section class="card">
      <h2>Model and budget</h2>
      {value('model.provider') === 'none' ? (
        <p class="quiet">
          Memories are distilled offline, without a model. To use one:{' '}
          <code>cairn config set model.provider …</code>
        </p>
      ) : (
        <p>
          {value('model.provider')} {value('model.name')}: {formatNumber(used)} of{' '}
          {formatNumber(Number(value('model.dailyCalls')))} calls today, at most{' '}
          {formatNumber(Number(value('model.dailyTokens')))} tokens a day.{' '}
          <a class="link" href="/settings">
            Change
          </a>
        </p>
      )}
      <p class="quiet">
        Search by meaning:{' '}
        {value('embedder.provider') === 'none'
          ? 'off'
          : `${value('embedder.provider')} ${value('embedder.model')}`}
      </p>
    </section>
  );
}
