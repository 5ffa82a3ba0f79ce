import { isLineStart } from '../../platform/lines.ts';
import type { Transcripts } from '../agent.ts';
import { readJsonLines } from '../json-lines.ts';
import {
  findProjectFolders,
  findSessionTranscripts,
  findTranscripts,
  readOpening,
  transcriptsFolder,
} from './transcript-files.ts';
import { createTranscriptReader, readAnswer, timeOf } from './transcript-reader.ts';

export const transcripts: Transcripts = {
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findProjectFolders,
  findSession: findSessionTranscripts,
  readOpening,
  readRecords: readJsonLines,
  isRecordStart: isLineStart,
  timeOf,
  createReader: createTranscriptReader,
  readAnswer,
};
