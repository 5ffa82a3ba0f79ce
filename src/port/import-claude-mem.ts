import { dirname, isAbsolute, relative, sep } from 'node:path';
import { findTranscripts } from '../agents/claude-code/transcript.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { cleanText } from '../curation/clean-text.ts';
import type { NewMemory, PastPrompt, PortableFile } from '../store/port-store.ts';
import type { ClaudeMem, ClaudeMemRow, ClaudeMemTable } from '../store/sqlite/claude-mem.ts';
import {
  filesOf,
  keyOfRow,
  observationIn,
  projectNameOf,
  promptIn,
  sessionNameOf,
  summaryIn,
} from './claude-mem-row.ts';
import { workedFolders } from './folders.ts';
import { createNamedProjects, type NamedProject } from './named-projects.ts';
import { BATCH, createRun, type PortResult, type PortWorld } from './run.ts';

const MOST_FOLDERS = 20;

export interface ClaudeMemOptions {
  /** Where Claude Code keeps its transcripts: they tell where projects lie. */
  projects: string;
  /** Only what belongs to the project in this folder. */
  folder?: string;
}

/** What claude-mem has kept becomes memory here. Its database is only read. */
export async function importClaudeMem(
  world: PortWorld,
  source: ClaudeMem,
  options: ClaudeMemOptions,
): Promise<PortResult> {
  const run = createRun(
    world,
    source.tables.reduce((sum, table) => sum + source.count(table), 0),
  );
  const sessions = source.sessions();
  const projectFor = createNamedProjects(world, {
    from: 'claude-mem',
    folders: foldersTold(source, options.projects),
    ...(options.folder !== undefined && { only: options.folder }),
  });
  const readable = { observations: observationIn, session_summaries: summaryIn };

  for (const table of ['observations', 'session_summaries'] as const) {
    for (const rows of pagesOf(source, table)) {
      run.add(rows.flatMap((row) => memoryFrom(table, row) ?? []));
      if (!(await run.goesOn(rows.length))) return run.result;
    }
  }
  const told = sessionsWithTranscript(options.projects);
  for (const rows of pagesOf(source, 'user_prompts')) {
    const prompts = rows.flatMap((row) => promptFrom(row) ?? []);
    run.result.prompts += world.store.addPastPrompts(redactValue(prompts), {
      now: world.now(),
      isDryRun: world.isDryRun,
    });
    if (!(await run.goesOn(rows.length))) return run.result;
  }
  return run.result;

  function memoryFrom(table: keyof typeof readable, row: ClaudeMemRow): NewMemory | null {
    const project = projectFor(projectNameOf(row));
    if (!project) return null;
    // Cleaning takes most of the time, and what is known was cleaned before.
    if (world.store.memoryByKey(keyOfRow(table, row)) !== null) {
      run.result.known++;
      return null;
    }
    const found = readable[table](row, (text) => cleanText(world, text));
    if (!found) {
      run.skip(`${table} ${row.id}`, 'there is nothing to tell in it');
      return null;
    }
    const { agent, id } = sessions.get(sessionNameOf(row)) ?? {};
    return {
      ...found,
      session: agent !== undefined && id !== undefined ? { agent, id } : null,
      projectId: project.id,
      files: found.files.map((file) => placed(file, project)),
    };
  }

  function promptFrom(row: ClaudeMemRow): PastPrompt | null {
    const prompt = promptIn(row);
    const session = prompt && sessions.get(prompt.session);
    // What has a transcript comes in from there, with its answers.
    if (!session || told.has(session.id)) return null;
    const { agent, id, project } = session;
    const own = projectFor(projectNameOf({ project }));
    const text = own ? cleanText(world, prompt.text) : '';
    if (!own || text === '') return null;
    return { ...prompt, session: { agent, id }, projectId: own.id, text, from: 'claude-mem' };
  }
}

function* pagesOf(source: ClaudeMem, table: ClaudeMemTable): Generator<ClaudeMemRow[]> {
  if (!source.tables.includes(table)) return;
  for (let after = 0; ; ) {
    const rows = source.rows(table, after, BATCH);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

function sessionsWithTranscript(projects: string): Set<string> {
  return new Set(findTranscripts(projects).map(({ sessionId }) => sessionId));
}

/** Where a project may lie: its files tell, and so does the agent. Few of each are enough. */
function foldersTold(source: ClaudeMem, projects: string): (name: string) => string[] {
  const told = new Map<string, Set<string>>();
  for (const rows of pagesOf(source, 'observations'))
    for (const row of rows) {
      const name = projectNameOf(row);
      const folders = told.get(name) ?? new Set();
      told.set(name, folders);
      if (folders.size >= MOST_FOLDERS) continue;
      for (const { path } of filesOf(row)) if (isAbsolute(path)) folders.add(dirname(path));
    }
  const worked = [...workedFolders(projects).values()];
  return (name) => [...worked, ...(told.get(name) ?? [])];
}

/** As memories name files: from the top of the checkout. */
function placed(file: PortableFile, { top }: NamedProject): PortableFile {
  if (top === null || !isAbsolute(file.path)) return file;
  const inside = relative(top, file.path);
  const isOutside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return isOutside ? file : { ...file, path: inside.split(sep).join('/') };
}
