import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectsFolder } from '../../agents/claude-code/transcript.ts';
import { errorCode } from '../../platform/files.ts';
import { importCairn } from '../../port/import-cairn.ts';
import { importClaudeMem } from '../../port/import-claude-mem.ts';
import { importMemoryMd } from '../../port/import-memory-md.ts';
import { type ClaudeMem, openClaudeMem } from '../../store/sqlite/claude-mem.ts';
import { type Call, CommandError, UsageError } from '../command.ts';
import { runMemories } from './memories.ts';

export async function runCairn(call: Call): Promise<number> {
  const [, file] = call.positionals;
  if (file === undefined) throw new UsageError('From which file? "-" is stdin.');
  const content = file === '-' ? await readStdin() : readFile(resolve(file));
  return runMemories(call, (world) => importCairn(world, content));
}

export async function runClaudeMem(call: Call): Promise<number> {
  const { options, env } = call;
  const path =
    typeof options.db === 'string' ? resolve(options.db) : join(env.userHome, '.claude-mem/claude-mem.db');
  const asked = projectFrom(call);
  const source = openSource(path);
  try {
    return await runMemories(call, (world) =>
      importClaudeMem(world, source, { projects: projectsFolder(env), ...asked }),
    );
  } finally {
    source.close();
  }
}

export async function runMemoryMd(call: Call): Promise<number> {
  const { options, env } = call;
  const folder = typeof options.dir === 'string' ? resolve(options.dir) : projectsFolder(env);
  if (!existsSync(folder))
    throw new CommandError(`There are no notes: ${folder} is not there. If they are elsewhere, use --dir.`);
  const { folder: project } = projectFrom(call);
  return runMemories(call, (world) =>
    importMemoryMd(world, { folder, here: process.cwd(), ...(project !== undefined && { project }) }),
  );
}

function openSource(path: string): ClaudeMem {
  if (!existsSync(path))
    throw new CommandError(
      `There is no memory of claude-mem: ${path} is not there. Name it with --db <file>.`,
    );
  const source = opened(path);
  if (!source) throw new CommandError(`${path} is no database of claude-mem.`);
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

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
