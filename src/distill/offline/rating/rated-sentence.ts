import type { KindShares } from '../prompt-kinds/kinds.ts';
import type { Sentence } from '../text/sentences.ts';
import type { Marker } from './markers.ts';
import type { Noise } from './noise.ts';

/** Where a sentence of a turn comes from. */
export const SENTENCE_SOURCES = [
  'person',
  'answer',
  'plan',
  'between',
  'report',
  'compaction',
  'commit',
  'closing',
] as const;

export type SentenceSource = (typeof SENTENCE_SOURCES)[number];

/** A sentence that may be worth keeping. */
export interface Candidate extends Sentence {
  from: SentenceSource;
  /** How many calls came before it. */
  place: number;
  /** Which message of its source it is in: blocks are counted within one. */
  message: number;
  /** Before a call: the last sentence of its message, which mostly says what comes now. */
  isBeforeCall: boolean;
  /** In the last paragraph of the closing words. */
  isAtEnd: boolean;
  isFirst: boolean;
  /** Of the person: gives another value than the agent did. */
  correctsAgent: boolean;
  /** Of the person: the agent has answered before in this session. */
  isFollowUp: boolean;
}

/** What a sentence is good for. */
export type SentenceRole = 'rule' | 'decision' | 'trap' | 'cause' | 'deed' | 'finding' | 'open';

/** A candidate with what was seen in it. */
export interface RatedSentence extends Candidate {
  markers: Set<Marker>;
  noise: Noise[];
  /** Names of code, files, commands and errors in it. */
  names: string[];
  /** By which it is compared with others. */
  words: Set<string>;
  features: Partial<Record<string, number>>;
  /** Of the person: how likely it is a rule, a fact, a decision or over with the turn. */
  kinds?: KindShares;
  score: number;
  role: SentenceRole;
}

export interface KeptSentence extends RatedSentence {
  /** Complete by itself: with the sentence before it where it needs one. */
  statement: string;
}

export interface DroppedSentence {
  text: string;
  from: SentenceSource;
  why: string;
}
