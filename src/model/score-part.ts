/** The contribution of one signal to the score of a memory. A negative one lowers it. */
export interface ScorePart {
  name: string;
  points: number;
}
