import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { AgentHome, SessionTranscripts, TranscriptAgent } from '../agents/agent.ts';
import { transcriptAgents } from '../agents/all.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { cleanText } from '../curation/clean-text.ts';
import { UnreadableDatabase } from '../platform/other-database.ts';
import type { ClaudeMem, ClaudeMemRow, ClaudeMemTable } from '../store/sqlite/claude-mem.ts';
import type { NewMemory, PastPrompt, PortableFile } from '../store/types/port.ts';
import {
  makeRowKey,
  parseFiles,
  parseObservation,
  parsePrompt,
  parseSummary,
  readProjectName,
  readSessionName,
} from './claude-mem-row.ts';
import { BATCH_SIZE, createImportRun, type PortOptions, type PortResult } from './import-run.ts';
import { createNamedProjects, type NamedProject } from './named-projects.ts';

const MOST_FOLDERS = 20;

export interface ClaudeMemOptions {
  /** The agents' transcripts, which name the folders of projects. */
  agentHome: AgentHome;
  folder?: string;
}

/** Imports memories and prompts from claude-mem. Its database is only read. */
export async function importClaudeMem(
  port: PortOptions,
  source: ClaudeMem,
  options: ClaudeMemOptions,
): Promise<PortResult> {
  const run = createImportRun(
    port,
    source.tables.reduce((sum, table) => sum + source.count(table), 0),
  );
  const sessions = source.sessions();
  const projectFor = createNamedProjects(port, {
    from: 'claude-mem',
    folders: candidateFolders(source, options.agentHome),
    ...(options.folder !== undefined && { only: options.folder }),
  });
  const readable = { observations: parseObservation, session_summaries: parseSummary };

  for (const table of ['observations', 'session_summaries'] as const) {
    for (const rows of pagesOf(source, table)) {
      run.add(rows.flatMap((row) => memoryFrom(table, row) ?? []));
      if (!(await run.shouldContinue(rows.length))) return run.result;
    }
  }
  const withTranscript = sessionsWithTranscript(options.agentHome);
  for (const rows of pagesOf(source, 'user_prompts')) {
    const prompts = rows.flatMap((row) => promptFrom(row) ?? []);
    run.result.prompts += port.store.addPastPrompts(redactValue(prompts), {
      now: port.now(),
      isDryRun: port.isDryRun,
    });
    if (!(await run.shouldContinue(rows.length))) return run.result;
  }
  return run.result;

  function memoryFrom(table: keyof typeof readable, row: ClaudeMemRow): NewMemory | null {
    const project = projectFor(readProjectName(row));
    if (!project) return null;
    // Cleaning takes most of the time, and known memories were cleaned before.
    if (port.store.findMemoryByKey(makeRowKey(table, row)) !== null) {
      run.result.known++;
      return null;
    }
    const found = readable[table](row, (text) => cleanText(port, text));
    if (!found) {
      run.skip(`${table} ${row.id}`, 'it is empty');
      return null;
    }
    const { agent, id } = sessions.get(readSessionName(row)) ?? {};
    return {
      ...found,
      session: agent !== undefined && id !== undefined ? { agent, id } : null,
      projectId: project.id,
      files: found.files.map((file) => placed(file, project)),
    };
  }

  function promptFrom(row: ClaudeMemRow): PastPrompt | null {
    const prompt = parsePrompt(row);
    const session = prompt && sessions.get(prompt.session);
    // Sessions with a transcript are imported from it, including the answers.
    if (!session || withTranscript.has(session.id)) return null;
    const { agent, id, project } = session;
    const own = projectFor(readProjectName({ project }));
    const text = own ? cleanText(port, prompt.text) : '';
    if (!own || text === '') return null;
    return { ...prompt, session: { agent, id }, projectId: own.id, text, from: 'claude-mem' };
  }
}

function* pagesOf(source: ClaudeMem, table: ClaudeMemTable): Generator<ClaudeMemRow[]> {
  if (!source.tables.includes(table)) return;
  for (let after = 0; ; ) {
    const rows = source.rows(table, after, BATCH_SIZE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

function sessionsWithTranscript(home: AgentHome): Set<string> {
  const sessions = transcriptAgents().flatMap((agent) => findSessions(agent, home));
  return new Set(sessions.map(({ sessionId }) => sessionId));
}

/** Ignores a database that cannot be read: `cairn import <agent>` reports it. */
function findSessions({ transcripts }: TranscriptAgent, home: AgentHome): SessionTranscripts[] {
  try {
    return transcripts.findAll(transcripts.folder(home));
  } catch (error) {
    if (error instanceof UnreadableDatabase) return [];
    throw error;
  }
}

/** Possible folders of a project, from its files and the agent's transcripts. A few of each are enough. */
function candidateFolders(source: ClaudeMem, home: AgentHome): (name: string) => string[] {
  const named = new Map<string, Set<string>>();
  for (const rows of pagesOf(source, 'observations'))
    for (const row of rows) {
      const name = readProjectName(row);
      const folders = named.get(name) ?? new Set();
      named.set(name, folders);
      if (folders.size >= MOST_FOLDERS) continue;
      for (const { path } of parseFiles(row)) if (isAbsolute(path)) folders.add(dirname(path));
    }
  const worked = transcriptAgents().flatMap(({ transcripts }) =>
    transcripts.findProjectFolders(transcripts.folder(home)),
  );
  return (name) => [...worked, ...(named.get(name) ?? [])];
}

/** Relative to the top of the checkout, as in memories. */
function placed(file: PortableFile, { top }: NamedProject): PortableFile {
  if (top === null || !isAbsolute(file.path)) return file;
  const inside = relative(top, file.path);
  const isOutside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return isOutside ? file : { ...file, path: inside.split(sep).join('/') };
}
