/** Turns are read, and memories indexed, together with their prompts. Without an index that scanned all prompts. */
export const sql = `
CREATE INDEX prompts_turn ON prompts(turn_id);
`;
