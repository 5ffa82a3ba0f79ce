/** Each turn is read with its prompts, and each memory is indexed with them: without an index that read all prompts. */
export const sql = `
CREATE INDEX prompts_turn ON prompts(turn_id);
`;
