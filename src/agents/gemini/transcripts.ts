import type { Transcripts } from '../agent.ts';
import { jsonLines } from '../json-lines.ts';
import { findSingleFile } from '../transcript-files.ts';
import { findProjectFolders, findTranscripts, readOpening, transcriptsFolder } from './transcript-files.ts';
import { createTranscriptReader, readAnswer } from './transcript-reader.ts';

export const transcripts: Transcripts = {
  ...jsonLines,
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findProjectFolders,
  findSession: findSingleFile,
  readOpening,
  createReader: createTranscriptReader,
  readAnswer,
};
