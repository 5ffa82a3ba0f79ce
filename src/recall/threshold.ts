/** The minimum score for unrequested context: no memory is better than a wrong one. */
export const PUSH_THRESHOLD = 0.75;
/** The same for the claims that a prompt is answered with; among many more of them fit by accident. */
export const CLAIM_THRESHOLD = { few: 0.68, many: 0.9 };
