import { useEffect, useState } from 'preact/hooks';
import { CallError, send } from '../api/call.ts';
import { knownProjects } from '../api/known-projects.ts';
import { count } from '../parts/format.ts';
import type { SettingChanges } from './setting-changes.ts';

const SETTLE_MS = 250;

interface Preview {
  text: string;
  tokens: number;
  memories: number;
  notice: string | null;
}

/** The context of a new session with these settings, before they are saved. */
export function ContextPreview({ changes }: { changes: SettingChanges }) {
  const projects = knownProjects.value;
  const [chosen, choose] = useState<number | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState('');
  const project = chosen ?? projects[0]?.id ?? null;
  const body = JSON.stringify(changes);
  useEffect(() => {
    if (project === null) return;
    let isShown = true;
    const timer = setTimeout(async () => {
      try {
        const result = await send('POST', '/api/context/preview', {
          body: { project, changes: JSON.parse(body) },
        });
        if (!isShown) return;
        setPreview(result);
        setProblem('');
      } catch (error) {
        if (!isShown) return;
        setPreview(null);
        setProblem(error instanceof CallError ? error.message : String(error));
      }
    }, SETTLE_MS);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [project, body]);
  return (
    <section class="card preview" aria-label="Preview">
      <h2>
        What a new session would get
        {preview && preview.text !== '' && (
          <small class="num" role="status">
            {count(preview.tokens, 'token')}, {count(preview.memories, 'memory', 'memories')}
          </small>
        )}
      </h2>
      {projects.length === 0 && <p class="quiet">There are no projects yet.</p>}
      {projects.length > 0 && (
        <label>
          In{' '}
          <select
            class="chip"
            value={String(project)}
            onChange={(event) => choose(Number(event.currentTarget.value))}
          >
            {projects.map(({ id, name }) => (
              <option key={id} value={String(id)} selected={id === project}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {problem !== '' && <p class="quiet">{problem}</p>}
      {preview && preview.text === '' && (
        <p class="quiet">{preview.notice ?? 'Nothing: this project has no memories to give.'}</p>
      )}
      {preview && preview.text !== '' && <pre tabIndex={0}>{preview.text}</pre>}
    </section>
  );
}
