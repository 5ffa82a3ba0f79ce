import { readKeptSentences } from '../offline/distill.ts';
import { type Evidence, readEvidence } from '../offline/evidence.ts';
import type { KeptSentence } from '../offline/rating/rated-sentence.ts';
import { readRequest } from '../offline/request.ts';
import type { Turn } from '../turn.ts';

/** What the rules found in a turn: the sentences they kept, and what the calls prove. */
export interface Findings {
  claims: KeptSentence[];
  evidence: Evidence;
}

export function readFindings(turn: Turn): Findings {
  const evidence = readEvidence(turn);
  return { evidence, claims: readKeptSentences(turn, evidence, readRequest(turn)).claims };
}
