/** English words that do not tell subjects apart. They are ignored when texts are compared by their words. */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been but by can did do does for from had has have he her his how i if in into is it its ' +
    'just me my no not now of off on one only or our out so some such than that the their them then there these they ' +
    'this to too up us use used uses using was we were what when where which while who why will with you your'
  ).split(' '),
);

/** Words of German, French and Spanish prompts, and of requests in general, that are unsuitable for a name. */
export const REQUEST_FILLER_WORDS: ReadonlySet<string> = new Set(
  `
  der die das den dem des ein eine einen einem einer eines und oder aber auch noch mal doch bitte im in am an auf aus
  bei mit nach von vom zu zum zur fuer fur uber durch um ist sind war wird werden soll sollte muss kann kannst konnen
  ich du er es wir ihr sie mir mich uns nicht kein keine dass wenn wie was wo warum hier da jetzt
  le la les un une du au aux et ou est sont dans pour sur avec sans que qui ce cette ces je tu il elle nous vous ne pas
  el los las una unos unas y o en con por para sin se lo su sus mi son del al como cuando
  need needs want wants like make sure try go let lets start
  `
    .trim()
    .split(/\s+/),
);
