/** From this score on a memory is given to an agent that did not ask for it: rather none than a wrong one. */
export const PUSH_THRESHOLD = 0.75;
