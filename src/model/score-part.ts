/** What a signal adds to the score of a memory; below zero, what it takes away. */
export interface ScorePart {
  name: string;
  points: number;
}
