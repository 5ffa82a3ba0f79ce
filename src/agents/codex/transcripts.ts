import { createTranscripts } from '../transcript-files.ts';
import { findSessionTranscripts, findTranscripts, transcriptsFolder } from './transcript-files.ts';
import { createTranscriptReader, readAnswer } from './transcript-reader.ts';

export const transcripts = createTranscripts({
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findSession: findSessionTranscripts,
  createReader: createTranscriptReader,
  readAnswer,
});
