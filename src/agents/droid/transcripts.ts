import type { Transcripts } from '../agent.ts';
import { jsonLines } from '../json-lines.ts';
import {
  findInProjects,
  findSingleFile,
  listOpeningFolders,
  readStampedOpening,
} from '../transcript-files.ts';
import { transcriptsFolder } from './transcript-files.ts';
import { createTranscriptReader, readAnswer } from './transcript-reader.ts';

export const transcripts: Transcripts = {
  ...jsonLines,
  folder: transcriptsFolder,
  findAll: (folder) => findInProjects(folder),
  findProjectFolders: (folder) => listOpeningFolders(findInProjects(folder)),
  findSession: findSingleFile,
  readOpening: readStampedOpening,
  createReader: createTranscriptReader,
  readAnswer,
};
