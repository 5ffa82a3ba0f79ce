/** The timeline asks for the prompts around a moment: without an index it read all of them, 80 ms at 50,000. */
export const sql = `
CREATE INDEX prompts_at ON prompts(at);
`;
