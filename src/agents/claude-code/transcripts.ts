import type { MemoryFiles, Transcripts } from '../agent.ts';
import { jsonLines } from '../json-lines.ts';
import { findMemoryFolders, findProjectFolders } from './project-folders.ts';
import {
  findSessionTranscripts,
  findTranscripts,
  readOpening,
  transcriptsFolder,
} from './transcript-files.ts';
import { readAnswer, timeOf } from './transcript-line.ts';
import { createTranscriptReader } from './transcript-reader.ts';

export const transcripts: Transcripts = {
  ...jsonLines,
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findProjectFolders: (folder) => [...findProjectFolders(folder).values()],
  findSession: findSessionTranscripts,
  readOpening,
  timeOf,
  createReader: createTranscriptReader,
  readAnswer,
};

export const memoryFiles: MemoryFiles = { folder: transcriptsFolder, findAll: findMemoryFolders };
