import { useEffect, useState } from 'preact/hooks';
import { type Answer, get, send } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable, whenReachable } from '../api/worker-state.ts';
import { agentName, count, formatBytes, formatNumber } from '../parts/format.ts';
import { ErrorNote } from '../parts/states.tsx';
import { showFailure } from '../shell/toast.tsx';

type Progress = Answer<'GET', '/api/import'>['import'];

const LOOK_MS = 400;

/** Past sessions on this machine, and the progress of their import. */
export function ImportFound({ onDone }: { onDone(): void }) {
  const { data, error, reload } = useAnswer('import found', (signal) => get('/api/import/found', { signal }));
  const [progress, setProgress] = useState<Progress | null>(null);
  const isRunning = progress?.state === 'running';
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isShown = true;
    const look = async () => {
      try {
        const now = (await get('/api/import', {})).import;
        if (!isShown) return;
        setProgress(now);
        if (now.state === 'running') timer = setTimeout(look, LOOK_MS);
        else if (isRunning) {
          reload();
          onDone();
        }
      } catch (failure) {
        if (!isShown || !isRunning) return;
        if (isReachable.value) showFailure(failure);
        await whenReachable();
        if (isShown) timer = setTimeout(look, LOOK_MS);
      }
    };
    void look();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [isRunning]);
  const ask = async (answer: Promise<{ import: Progress }>) => {
    try {
      setProgress((await answer).import);
    } catch (failure) {
      showFailure(failure);
    }
  };
  const found = data?.agents ?? [];
  const bytes = found.reduce((sum, agent) => sum + agent.bytes, 0);
  return (
    <section class="card import">
      <h2>Past sessions on this machine</h2>
      {error && <ErrorNote error={error} what="Past sessions could not be listed" onRetry={reload} />}
      {!data && !error && <p class="quiet">Looking for past sessions…</p>}
      {data && found.length === 0 && !isRunning && (
        <p class="quiet">Nothing to import: all past sessions are already here.</p>
      )}
      <ul>
        {found.map(({ agent, folder, sessions, bytes: size }) => (
          <li key={agent}>
            <b>{agentName(agent)}</b>
            <span>
              {count(sessions, 'session')}, {size === 0 ? 'all known' : `${formatBytes(size)} not read yet`}
            </span>
            <code class="cut">{folder}</code>
          </li>
        ))}
      </ul>
      {progress && progress.state !== 'idle' && <ImportProgress progress={progress} />}
      {(bytes > 0 || isRunning) && (
        <p class="row">
          {isRunning ? (
            <button
              type="button"
              class="btn"
              disabled={!isReachable.value}
              onClick={() => ask(send('POST', '/api/import/stop', { body: {} }))}
            >
              Stop
            </button>
          ) : (
            <button
              type="button"
              class="btn primary"
              disabled={!isReachable.value}
              onClick={() => ask(send('POST', '/api/import', { body: {} }))}
            >
              Import {formatBytes(bytes)}
            </button>
          )}
          <small class="quiet">Secrets and private parts are removed, as in capture.</small>
        </p>
      )}
    </section>
  );
}

function ImportProgress({ progress: { state, done, all, events, problem } }: { progress: Progress }) {
  if (state === 'failed') return <p role="alert">The import failed: {problem}</p>;
  const percent = all === 0 ? (state === 'done' ? 100 : 0) : Math.floor((done / all) * 100);
  return (
    <>
      <progress max={100} value={percent} aria-label="Import">
        {percent} %
      </progress>
      <p class="quiet num" role="status">
        {state === 'done' ? 'Imported' : `${percent} %,`} {formatNumber(events)}{' '}
        {events === 1 ? 'event' : 'events'}
      </p>
    </>
  );
}
