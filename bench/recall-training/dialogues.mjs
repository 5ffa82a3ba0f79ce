// FriendsQA (Emory NLP, Apache-2.0): people's questions about scenes, with the utterances that answer them.

import { execFileSync } from 'node:child_process';

const FILES = ['dat/friendsqa_dev.json', 'dat/friendsqa_tst.json'];

/** An utterance is a document, a scene a session, a season a group. */
export function dialoguesOf(gitDir) {
  const documents = [];
  const questions = [];
  const orders = new Map();
  for (const file of FILES) {
    const json = execFileSync('git', [`--git-dir=${gitDir}`, 'show', `HEAD:${file}`], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    for (const { title: scene, paragraphs } of JSON.parse(json).data)
      for (const paragraph of paragraphs) {
        const group = scene.slice(0, 3);
        for (const { uid, speakers, utterance } of paragraph['utterances:']) {
          const order = orders.get(group) ?? 0;
          orders.set(group, order + 1);
          documents.push({
            id: `${scene}:${uid}`,
            ...{
              group,
              session: scene,
              order,
              at: null,
              speaker: speakers.join(', '),
              text: closedUp(utterance),
            },
          });
        }
        for (const { id, question, answers } of paragraph.qas) {
          const relevant = [...new Set(answers.map(({ utterance_id }) => `${scene}:${utterance_id}`))];
          questions.push({ id, group, text: closedUp(question), category: 1, relevant });
        }
      }
  }
  return { documents, questions };
}

/** The set has a space before every mark and ending. */
function closedUp(text) {
  return text.replace(/ (n't|'(?:s|re|ve|ll|d|m))\b/g, '$1').replace(/ ([.,!?;:])/g, '$1');
}
