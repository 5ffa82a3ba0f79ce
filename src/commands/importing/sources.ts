import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { agents } from '../../agents/all.ts';
import { errorCode } from '../../platform/files.ts';
import { importCairn } from '../../port/import-cairn.ts';
import { importClaudeMem } from '../../port/import-claude-mem.ts';
import { importMemoryMd } from '../../port/import-memory-md.ts';
import { type ClaudeMem, openClaudeMem } from '../../store/sqlite/claude-mem.ts';
import { type Call, CommandError, UsageError } from '../support/command.ts';
import { readStdin } from '../support/read-stdin.ts';
import { importMemories } from './memories.ts';

export async function importCairnExport(call: Call): Promise<number> {
  const [, file] = call.positionals;
  if (file === undefined) throw new UsageError('Missing file. "-" reads from stdin.');
  const content = file === '-' ? await readStdin() : readFile(resolve(file));
  return importMemories(call, (options) => importCairn(options, content));
}

export async function importFromClaudeMem(call: Call): Promise<number> {
  const { options, env } = call;
  const path =
    typeof options.db === 'string' ? resolve(options.db) : join(env.userHome, '.claude-mem/claude-mem.db');
  const chosenProject = projectFrom(call);
  const source = openSource(path);
  try {
    return await importMemories(call, (options) =>
      importClaudeMem(options, source, { agentHome: env, ...chosenProject }),
    );
  } finally {
    source.close();
  }
}

export async function importFromMemoryMd(call: Call): Promise<number> {
  const { options, env } = call;
  const [known = ''] = agents.flatMap(({ memoryFiles }) => memoryFiles?.folder(env) ?? []);
  const folder = typeof options.dir === 'string' ? resolve(options.dir) : known;
  if (!existsSync(folder))
    throw new CommandError(`No notes found: ${folder} does not exist. If they are elsewhere, use --dir.`);
  const { folder: project } = projectFrom(call);
  return importMemories(call, (options) =>
    importMemoryMd(options, { folder, here: process.cwd(), ...(project !== undefined && { project }) }),
  );
}

function openSource(path: string): ClaudeMem {
  if (!existsSync(path))
    throw new CommandError(`No claude-mem database found: ${path} does not exist. Name it with --db <file>.`);
  const source = opened(path);
  if (!source) throw new CommandError(`${path} is not a claude-mem database.`);
  return source;
}

function opened(path: string): ClaudeMem | null {
  try {
    return openClaudeMem(path);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be read as a database: ${cause}`);
  }
}

function projectFrom({ options }: Call): { folder?: string } {
  if (typeof options.project !== 'string') return {};
  const folder = resolve(options.project);
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${folder}.`);
  return { folder };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${errorCode(error) ?? 'unknown'}).`);
  }
}
