import type { Transcripts } from '../agent.ts';
import { jsonLines } from '../json-lines.ts';
import { findSingleFile, listOpeningFolders, readStampedOpening } from '../transcript-files.ts';
import { findTranscripts, transcriptsFolder } from './transcript-files.ts';
import { createTranscriptReader, readAnswer } from './transcript-reader.ts';

export const transcripts: Transcripts = {
  ...jsonLines,
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findProjectFolders: (folder) => listOpeningFolders(findTranscripts(folder)),
  findSession: findSingleFile,
  readOpening: readStampedOpening,
  createReader: createTranscriptReader,
  readAnswer,
};
