import type { JsonObject } from '../../src/model/json.ts';
import type { Observation, ObservationType, Summary } from '../../src/model/memory.ts';

/** Found without regard to case. */
export type Words = (string | RegExp)[];

/** A session with the real client, and what a careful engineer would write down after it. */
export interface DistillSession {
  name: string;
  about: string;
  /** The project's first commit, by path. */
  files: Record<string, string>;
  /** Shell scripts on the PATH, by name: they stand in for programs that few machines have, such as `go`. */
  programs?: Record<string, string>;
  script(projectDir: string): DistillScript;
  prompts: string[];
  how?: Ending;
  /** A file that appears in the project once the last prompt is answered: what runs in the background waits for it. */
  thenAppears?: string;
  /** A long session makes at least 60 tool calls. */
  long?: true;
  expects: Expectation;
}

/**
 * How the person or the machine cuts a session short; without it the session is played to its end.
 * `when` names a file in the project that the tool call in question makes while it runs.
 */
export type Ending =
  /** The client gets SIGKILL. Prompts after the first are never typed. */
  | { cut: 'killed'; when: string }
  /** The person presses Esc and types the next prompt into the same client. */
  | { cut: 'interrupted'; when: string };

export interface DistillScript {
  main: Step[][];
  subagents?: Record<string, Step[][]>;
  /** What the agent makes of the end of a background task; its prompt is the machine's, and counts as one. */
  notification?: Step[][];
  compact?: Step[][];
}

/** One block of the model's answer. */
export type Step = { text: string } | PlayedCall;

export interface PlayedCall {
  id: string;
  tool: string;
  input: JsonObject;
  /** What must come of it when the session is played: done, failed, or stopped before its end. */
  goes: 'well' | 'wrong' | 'nowhere';
  /** What its output must contain. */
  shows?: string;
}

export interface Expectation {
  /** What a colleague would be sorry to have lost. */
  essentials: Point[];
  /** Worth keeping, but a loss is bearable. Any other observation is junk. */
  niceToHave?: Point[];
  /** Must be there; a summary of any other prompt is junk. */
  summaries: WantedSummary[];
  /** Must be in no memory, on top of what is noise in every session. */
  noise: Words;
  /** Statements that would be false; must be in no memory either. */
  untrue?: Words;
  /** Any memory of this session is junk. */
  nothing?: true;
  /** What colleagues ask weeks later, and what must be in the context that they get. */
  followUps?: FollowUp[];
  /** Prompts in the same project that have nothing to do with this session: they must bring up nothing. */
  unrelated?: string[];
}

export interface Point {
  type: ObservationType | ObservationType[];
  /** Each somewhere in one observation: in its title, narrative or facts. */
  says: Words;
  title?: Words;
  /** Among the files it read or modified; paths in the project. */
  files?: string[];
  prompt?: number;
}

export interface FollowUp {
  /** In the colleague's own words, not in the session's. */
  asks: string;
  says: Words;
}

export interface WantedSummary {
  /** The number of the prompt, from 1. A command to the client, such as /compact, is no prompt. */
  prompt: number;
  /** May be missing; where it is there, it must say the rest. */
  optional?: true;
  request?: Words;
  investigated?: Words;
  learned?: Words;
  completed?: Words;
  nextSteps?: Words;
  notes?: Words;
  filesRead?: string[];
  filesModified?: string[];
}

/** A memory with the number of the prompt it comes from. */
export type StoredObservation = Omit<Observation, 'events'> & { prompt: number | null };

export type StoredSummary = Summary & { prompt: number | null };

/** A session that was written before the distiller could know it, of a stated kind. */
export interface SurveySession extends DistillSession {
  kind: 'bug hunt' | 'feature' | 'refactoring' | 'upgrade' | 'operations' | 'review' | 'question';
  /** Of the conversation, such as `en` or `ja`. */
  language: string;
  /** Such as `go` or `terraform`. */
  ecosystem: string;
  expects: Expectation & Required<Pick<Expectation, 'followUps' | 'unrelated'>>;
}
