/** Words of a question that are not its subject. They are dropped from queries, never from the index. */
const WORDS = `
a an the this that these those there here it its itself
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
they them their theirs themselves who whom whose which what when where why how
am is are was were be been being do does did done doing have has had having
can could will would shall should may might must cant cannot wont dont doesnt didnt isnt arent wasnt werent
havent hasnt hadnt wouldnt couldnt shouldnt im ive ill youre hes shes theyre lets thats whats wheres hows
and or but nor so yet if then else than because while until although though as of at by for with without about
against between into through during before after above below to from up down in out on off over under again
further once not no yes only just very too also both each few more most other others some such any all same own
now ever never always really already still even much many lot
please thanks thank hi hello hey ok okay well oh
`;

export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/** The stems of stop words that differ from them. Written out, because stemming them takes a hook 3 ms. */
export const INDEXED_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'thi ourselv thei themselv mai iv theyr let els becaus dure befor abov onc ye onli veri ani alwai realli ' +
    'alreadi mani pleas hei okai'
  ).split(' '),
);

/** Words with the stem of a stop word, but another meaning: "who owns the search?" */
export const TELLING_FORMS: ReadonlySet<string> = new Set('owns owned owning mined mining'.split(' '));
