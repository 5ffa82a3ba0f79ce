/** The minimum score for unrequested context: no memory is better than a wrong one. */
export const PUSH_THRESHOLD = 0.75;
