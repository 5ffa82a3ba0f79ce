import { expect, it } from 'vitest';
import { parseQuestion } from './parse-question.ts';

const cases: { text: string; terms: string; isSurvey?: boolean; isRequest?: boolean; role?: string }[] = [
  // An order or an overview over sessions.
  {
    text: 'In what order did I bring up rent and heating?',
    terms: 'rent heat',
    isSurvey: true,
    role: 'person',
  },
  {
    text: 'Can you list the order in which I mentioned different aspects of the bakery website, in order? Name only five items.',
    terms: 'bakeri websit',
    isSurvey: true,
    role: 'person',
  },
  {
    text: 'Give me a comprehensive summary of how the claim progressed, including key decisions.',
    terms: 'claim',
    isSurvey: true,
    role: 'person',
  },
  { text: 'Summarise what we discussed about the garden.', terms: 'garden', isSurvey: true },
  { text: 'How did the training plan change over time?', terms: 'train plan', isSurvey: true },
  { text: 'What did I eat throughout our conversations?', terms: 'eat', isSurvey: true, role: 'person' },
  // The same words as the subject itself.
  { text: 'In which order do migrations run?', terms: 'order migrat run' },
  { text: 'Where is the summary prompt built?', terms: 'summari prompt build' },
  { text: 'remind me how sequence numbers are generated', terms: 'sequenc number gener', role: 'person' },
  // About the conversation.
  { text: 'What did I tell you about my sister?', terms: 'sister', role: 'person' },
  { text: 'Do you remember what I said about the boiler?', terms: 'boiler', role: 'person' },
  { text: 'what did we discuss about retries', terms: 'retri' },
  { text: 'What did I say?', terms: 'sai', role: 'person' },
  // What the agent said, and what it is asked to do.
  { text: 'What did you recommend for the login page?', terms: 'recommend login page', role: 'agent' },
  { text: 'Which hotel would you recommend?', terms: 'hotel recommend', isRequest: true },
  { text: 'Can you list hotels near the lake?', terms: 'hotel near lake', isRequest: true },
  { text: 'How should I pay the invoice?', terms: 'pai invoic', isRequest: true, role: 'person' },
];

it.each(cases)('$text', ({ text, terms, isSurvey = false, isRequest = false, role = null }) => {
  const parsed = parseQuestion(text, 0);
  expect({
    terms: parsed.terms.join(' '),
    isSurvey: parsed.isSurvey,
    isRequest: parsed.isRequest,
    role: parsed.role,
  }).toEqual({ terms, isSurvey, isRequest, role });
});

it('reads a long prompt as it is', () => {
  const prompt = `Summarise the changes. ${'Then look at the parser. '.repeat(30)}`;
  expect(parseQuestion(prompt, 0).isSurvey).toBe(false);
});
