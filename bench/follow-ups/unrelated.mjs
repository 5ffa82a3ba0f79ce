import fs from 'node:fs';

/** Tasks and questions that anyone might type into an agent in any project, by language. */
export const MORE_UNRELATED = JSON.parse(fs.readFileSync(new URL('unrelated.json', import.meta.url), 'utf8'));
