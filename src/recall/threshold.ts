/**
 * The minimum score for unrequested context: no memory is better than a wrong one. A single claim of one memory that is
 * ahead of the rest disturbs less than several memories do, and least where something was asked. An order, and a question
 * such as "what does yield do", share words with memories that they are not about.
 */
export const PUSH_THRESHOLD = {
  ...{ memories: 0.75, memoriesForTask: 0.8 },
  ...{ claimForTask: 0.75, claimForQuestion: 0.65 },
};
/** The same for the likelihood that claims answer a prompt; among many more of them fit by accident. */
export const CLAIM_THRESHOLD = { few: 0.673, many: 0.88 };
