// Instructions and preferences as people state them, with a later question to which each matters.

const SAID_AND_ASKED = [
  [
    'Always give temperatures in Celsius when we talk about weather.',
    'What will the weather in Oslo be like?',
  ],
  [
    'From now on put the ingredients before the steps in a recipe.',
    'Could you write me a recipe for lentil soup?',
  ],
  ['Never suggest flights that leave before eight in the morning.', 'Which flights to Lisbon would suit me?'],
  ['I prefer window seats on trains, aisle seats make me restless.', 'Which train seats should I book?'],
  ['Please stop using emojis in the emails you draft for me.', 'Can you draft an email to my landlord?'],
  [
    'Whenever I ask about medication, remind me to check with my pharmacist.',
    'Is this medication fine with coffee?',
  ],
  [
    "I'd rather walk than take a taxi if it is under half an hour.",
    'How do I get from the hotel to the museum by taxi?',
  ],
  ['Keep code examples in TypeScript, not in JavaScript.', 'Show me a code example for a debounce function.'],
  [
    "Don't recommend seafood restaurants, I am allergic to shellfish.",
    'Which restaurants are good for our anniversary?',
  ],
  ['I like my summaries as bullet points, five at most.', 'Summarise the article on soil erosion for me.'],
  ['When you quote prices, always include the sales tax.', 'What prices should I expect for a dishwasher?'],
  [
    'I never work on Sundays, so do not schedule anything then.',
    'Can you schedule the dentist and the plumber?',
  ],
  ['Use metric units for every measurement, please.', 'What measurements should the bookshelf have?'],
  [
    'I would like you to correct my French when I write in it.',
    "J'ai allé au marché en français, can you read it?",
  ],
  ['For anything legal, tell me which jurisdiction you assume.', 'Is a verbal tenancy agreement legal?'],
  ['I prefer podcasts over books for learning history.', 'How should I learn about the history of Venice?'],
  [
    'Going forward, name the source whenever you give me a statistic.',
    'Which statistic shows that cycling is growing?',
  ],
  ["I can't stand horror films, so leave them out.", 'Which films should we watch on Friday?'],
  ['Make sure dates are written with the day first.', 'List the dates of the school holidays.'],
  ['I want short answers in the morning, I read them on the tram.', 'What is in the news this morning?'],
  [
    'Always ask me before you rewrite a whole paragraph.',
    'Can you improve the second paragraph of my letter?',
  ],
  [
    'Please explain acronyms the first time you use them.',
    'What do the acronyms in my pension statement mean?',
  ],
  ['My preference is for cotton, wool itches.', 'Which sweater should I buy for winter?'],
  ['If I mention my budget, convert it to euros.', 'My budget is 900 pounds, what can I get?'],
  ['Remember to leave out peanuts in every snack idea.', 'Give me snack ideas for the children.'],
  ["I'd prefer to pay by invoice and not by card.", 'How should I pay for the domain?'],
  [
    'Do not use tables in your replies, my screen reader skips them.',
    'Compare three phone plans in a table.',
  ],
  [
    'I love trails without crowds, popular ones spoil it for me.',
    'Which trails near the lake do you suggest?',
  ],
  ['Every workout you plan should start with ten minutes of stretching.', 'Plan a workout for Tuesday.'],
  ['We only use PostgreSQL, so never give me MySQL syntax.', 'How do I write an upsert in SQL?'],
  ['I hate small talk at the beginning of a letter.', 'Write a letter to the insurance company.'],
  [
    'Please always state how confident you are about a diagnosis of the car.',
    'Why does the car squeak when it rains?',
  ],
  ['I tend to favour second-hand furniture over new.', 'Where do I find furniture for the study?'],
  [
    'Use the informal form when you write German to my team.',
    'Translate this note into German for the team.',
  ],
  ['I need vegetarian options in each menu you make.', 'Make a menu for the birthday party.'],
  [
    'Always show the formula before the result when you calculate something.',
    'Calculate the interest on my loan.',
  ],
  ['I do not want affiliate links in product recommendations.', 'Which headphones would you recommend?'],
  ['From today on, call me by my middle name, Rosalind.', 'How would you greet me?'],
  [
    'I prefer evening appointments because I look after my father.',
    'When should the appointment with the bank be?',
  ],
  [
    'Never store passwords in plain text in the scripts you write.',
    'Write a script that logs in to the mail server.',
  ],
  ['Tell me the calories whenever you mention a dessert.', 'Which dessert goes with the curry?'],
  ['I rather like tests written before the code.', 'How do I start with the parser for the log files?'],
  ['Keep my essays under six hundred words from now on.', 'Help me with the essay on urban gardening.'],
  [
    'I enjoy puzzles that take about ten minutes, longer ones frustrate me.',
    'Give me a puzzle for the break.',
  ],
  ['Avoid blue in any design you propose for the shop.', 'Which design would fit the shop window?'],
  ['Please respond in British spelling.', 'Proofread the spelling of my cover letter.'],
  ["I'm more comfortable with ferries than planes.", 'How should I travel to Sardinia?'],
  ['Always list risks next to the benefits of an investment.', 'Is a bond fund a good investment for me?'],
  ["Don't plan more than two sights for a day of a trip.", 'Plan the second day of the trip to Kyoto.'],
  [
    'I want the version numbers of libraries when we discuss dependencies.',
    'Which dependencies does the upload need?',
  ],
  [
    'My rule is no screens after nine, so no evening films for the kids.',
    'What can the kids do in the evening?',
  ],
  ['Prefer native plants when we talk about the garden.', 'What should I plant in the garden this spring?'],
  ['Always put the most urgent task first in a to-do list.', 'Make a to-do list for the move.'],
  ['I usually pick audio guides instead of guided tours.', 'How should I visit the cathedral, with a tour?'],
  ['Please break long instructions into numbered steps.', 'How do I replace the kitchen tap?'],
  ['Never mention my salary in anything meant for others.', 'Write a post for others about my new job.'],
  ['I choose hotels with a kitchen, eating out every day is too much.', 'Find me hotels in Porto.'],
  [
    'When we speak about history, add the year to each event.',
    'Tell me about the history of the printing press.',
  ],
  ['I like commit messages in the imperative mood.', 'Write a commit message for the cache fix.'],
  [
    'Do include a backup plan for rain with every outdoor activity.',
    'Suggest an outdoor activity for Saturday.',
  ],
];

const REPLIES = [
  "Understood! I'll keep that in mind: WORDS. Here is how it will look from here.\n\n1. **Consistency** - I will check each answer against it.\n2. **Exceptions** - if a request does not fit, I will point it out and offer alternatives.\n3. **Review** - you can change it at any time.\n\nIs there anything else you would like me to adjust?",
  'Thanks for letting me know. That makes sense, and many people feel the same about it. To confirm what you said: WORDS. I will apply it whenever it is relevant, and I will ask if a situation is unclear. A few related ideas that often help:\n\n- Decide in advance what matters most.\n- Write down what worked well.\n- Look at it again after a few weeks.\n\nLet me know if you want to go through an example together.',
  "Got it, noted. WORDS. I'll take it into account in future answers and remind you of it where it matters. Would you like to continue with what we were discussing?",
];

export const REMARKS = SAID_AND_ASKED.map(([said, question], index) => ({
  said,
  question,
  reply: REPLIES[index % REPLIES.length].replace('WORDS', said.toLowerCase().replace(/\.$/, '')),
}));
