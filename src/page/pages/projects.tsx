import { useState } from 'preact/hooks';
import { get, send } from '../api/call.ts';
import { loadProjects } from '../api/known-projects.ts';
import type { Project } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable } from '../api/worker-state.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { count, firstLetter } from '../parts/format.ts';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { showFailure, showToast } from '../shell/toast.tsx';
import { ForgetProjectDialog } from './forget-project.tsx';
import { ImportFound } from './import-found.tsx';

type Mode = 'rename' | 'merge' | 'export' | 'forget';

/** Repositories and folders: renaming, merging, export and forgetting. */
export function ProjectsPage() {
  const { data, error, isSlow, reload } = useAnswer(
    'projects page',
    (signal) => get('/api/projects', { signal }),
    ({ what }) => what === 'session',
  );
  const projects = data?.projects ?? [];
  const refresh = () => {
    reload();
    void loadProjects();
  };
  return (
    <PageColumn label="Projects">
      <PageHeader
        title="Projects"
        lead="A project is a repository with all its worktrees, or a folder. Merging can be undone."
      />
      {error && !data && <ErrorNote error={error} what="Projects could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={4} />}
      {data && projects.length === 0 && (
        <EmptyNote title="There are no projects yet">
          <p>
            A project appears when an agent works in its folder. Connect your agent:{' '}
            <CommandLine command="cairn install" />
          </p>
        </EmptyNote>
      )}
      {data && <ImportFound onDone={refresh} />}
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} projects={projects} onChanged={refresh} />
      ))}
    </PageColumn>
  );
}

function ProjectCard({
  project,
  projects,
  onChanged,
}: {
  project: Project;
  projects: Project[];
  onChanged(): void;
}) {
  const [mode, setMode] = useState<Mode | null>(null);
  const close = () => setMode(null);
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
  const { id, name, remote, places, merged, sessions, lastSeen, memories, isSample } = project;
  const isOff = !isReachable.value;
  const split = (other: Project['merged'][number]) =>
    run(
      send('POST', '/api/projects/{id}/split', { params: { id: other.id }, body: {} }),
      `${other.name} is a separate project again.`,
    );
  return (
    <section class="card project">
      <h2>
        <i class="letter" aria-hidden="true">
          {firstLetter(name)}
        </i>
        <a href={`/?project=${id}`}>{name}</a>
        {isSample && <span class="tag accent">sample</span>}
        <small>
          {count(memories, 'memory', 'memories')}, {count(sessions, 'session')}
          {lastSeen !== undefined && (
            <>
              , last used <Time at={lastSeen} />
            </>
          )}
        </small>
      </h2>
      {remote && <p class="quiet">{remote}</p>}
      <ul class="places">
        {places.map((place) => (
          <li class="mono" key={place}>
            {place}
          </li>
        ))}
        {merged.map((other) => (
          <li key={other.id}>
            with {other.name}{' '}
            <button type="button" class="link" disabled={isOff} onClick={() => split(other)}>
              Split {other.name} off
            </button>
          </li>
        ))}
      </ul>
      <p class="row">
        <button type="button" class="btn" disabled={isOff} onClick={() => setMode('rename')}>
          Rename<span class="hidden-text"> {name}</span>
        </button>
        <button
          type="button"
          class="btn"
          disabled={isOff || projects.length < 2}
          onClick={() => setMode('merge')}
        >
          Merge<span class="hidden-text"> {name} into another project</span>
        </button>
        <button type="button" class="btn" onClick={() => setMode('export')}>
          Export<span class="hidden-text"> {name}</span>
        </button>
        <button type="button" class="btn danger" disabled={isOff} onClick={() => setMode('forget')}>
          Forget<span class="hidden-text"> the memories of {name}</span>
        </button>
      </p>
      {mode === 'rename' && (
        <RenameDialog
          project={project}
          onClose={close}
          onRename={(newName) =>
            run(
              send('PATCH', '/api/projects/{id}', { params: { id }, body: { name: newName } }),
              newName === null ? `Restored the original name of ${name}.` : `Renamed ${name} to ${newName}.`,
            )
          }
        />
      )}
      {mode === 'merge' && (
        <MergeDialog
          project={project}
          others={projects.filter((other) => other.id !== id)}
          onClose={close}
          onMerge={(into) =>
            run(
              send('POST', '/api/projects/{id}/merge', { params: { id }, body: { into: into.id } }),
              `Merged ${name} into ${into.name}.`,
            )
          }
        />
      )}
      {mode === 'export' && (
        <Dialog title={`Export ${name}`} onClose={close}>
          <p>JSON lines, which can be imported again; only you can read the file:</p>
          <p>
            <CommandLine
              command={`cairn export --project ${quote(folderOf(places[0] ?? '.'))} --out ${fileName(name)}.jsonl`}
            />
          </p>
        </Dialog>
      )}
      {mode === 'forget' && <ForgetProjectDialog project={project} onClose={close} />}
    </section>
  );
}

/** The place of a repository is its git directory. */
function folderOf(place: string): string {
  return place.replace(/\/\.git$/, '') || '/';
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function fileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-') || 'memories';
}

function RenameDialog({
  project: { name },
  onClose,
  onRename,
}: {
  project: Project;
  onClose(): void;
  onRename(name: string | null): void;
}) {
  const [text, setText] = useState(name);
  return (
    <Dialog title={`Rename ${name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onRename(text.trim());
        }}
      >
        <label class="field">
          <span>Name</span>
          <input value={text} maxLength={200} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <p class="row dialog-actions">
          <button type="submit" class="btn primary" disabled={text.trim() === ''}>
            Rename
          </button>
          <button type="button" class="btn" onClick={() => onRename(null)}>
            Restore the original name
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function MergeDialog({
  project: { name },
  others,
  onClose,
  onMerge,
}: {
  project: Project;
  others: Project[];
  onClose(): void;
  onMerge(into: Project): void;
}) {
  const [chosen, choose] = useState(others[0]);
  return (
    <Dialog title={`Merge ${name}`} onClose={onClose}>
      <p>
        Its memories are shown as part of the other project. Nothing is moved; you can split it off again.
      </p>
      <label class="field">
        <span>Into</span>
        <select
          value={String(chosen?.id)}
          onChange={(event) => choose(others.find(({ id }) => String(id) === event.currentTarget.value))}
        >
          {others.map((other) => (
            <option key={other.id} value={String(other.id)}>
              {other.name} · {other.places[0]}
            </option>
          ))}
        </select>
      </label>
      <p class="row dialog-actions">
        <button
          type="button"
          class="btn primary"
          disabled={!chosen}
          onClick={() => chosen && onMerge(chosen)}
        >
          Merge
        </button>
      </p>
    </Dialog>
  );
}
