import type { Transcripts } from '../agent.ts';
import { jsonLines } from '../json-lines.ts';
import { listOpeningFolders, readStampedOpening } from '../transcript-files.ts';
import { findSessionTranscripts, findTranscripts, transcriptsFolder } from './transcript-files.ts';
import { createTranscriptReader, readAnswer } from './transcript-reader.ts';

export const transcripts: Transcripts = {
  ...jsonLines,
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findProjectFolders: (folder) => listOpeningFolders(findTranscripts(folder)),
  findSession: findSessionTranscripts,
  readOpening: readStampedOpening,
  createReader: createTranscriptReader,
  readAnswer,
};
