/** The languages, other than English, that a text with these letters may be in. */
const BY_LETTERS: [letters: RegExp, languages: string[]][] = [
  [/[\u0400-\u04ff]/, ['ru', 'uk']],
  [/[\u3040-\u30ff]/, ['ja']],
  [/[\uac00-\ud7af]/, ['ko']],
  [/[\u4e00-\u9fff]/, ['zh']],
  [/[\u0600-\u06ff]/, ['ar']],
  [/[\u0900-\u097f]/, ['hi']],
];

/** Small words of each language, nearly every sentence has one of them, and letters that few others have. */
const BY_WORDS: [language: string, words: string, letters: RegExp][] = [
  [
    'de',
    'der die das und ist nicht ich wir ein eine einen mit auf für den dem von zu wie kann auch bei noch wird mal',
    /[äß]/,
  ],
  [
    'fr',
    'le les des est et une dans pour pas que qui sur avec je on nous du au ce la il faut sont',
    /[èêùœ]/,
  ],
  ['es', 'el los las una que en de por para con es se lo del al como qué está hay y no puedo la', /[ñ¿¡]/],
  ['pt', 'o os as um uma que em de do da no na para pra com é não se por como está eu a ao dos', /[ãõ]/],
  ['it', 'il lo gli una che di del della per con è non si come sono nel la un dei i da le ci', /[òì]/],
  ['nl', 'de het een en van is niet ik we dat op te met voor zijn die er naar wat hoe kan ook', /ij/],
  ['pl', 'w i z na się nie do jest że to co jak czy dla po od przy za o czemu mamy jakie', /[łąęśżźćń]/],
  ['tr', 've bir bu için ne mi mı mu nasıl neden ile de da çok var yok olan gibi kadar her şu', /[ğşı]/],
];
/** What such a letter counts, in words. */
const LETTER = 0.5;
/** Every language of the thesaurus but English. */
export const ALL_LANGUAGES = [
  ...BY_LETTERS.flatMap(([, languages]) => languages),
  ...BY_WORDS.map(([language]) => language),
];
const SPACES = /[\s,.;:!?()"«»“”¿¡]+/;

/** In Latin letters: the language with the most small words in the text, or none if English has as many. */
export function guessLanguages(text: string): string[] {
  const byLetters = /[\u0400-\uffff]/.test(text)
    ? BY_LETTERS.find(([letters]) => letters.test(text))
    : undefined;
  if (byLetters) return byLetters[1];
  const own = text.toLowerCase().split(SPACES);
  let best: { language: string; count: number } | undefined;
  for (const [language, words, letters] of BY_WORDS) {
    const list = ` ${words} `;
    const count =
      own.filter((word) => word !== '' && list.includes(` ${word} `)).length +
      (letters.test(text) ? LETTER : 0);
    if (count > (best?.count ?? 0)) best = { language, count };
  }
  return best && best.count > own.filter((word) => ENGLISH.includes(` ${word} `)).length
    ? [best.language]
    : [];
}

/** The same of English. */
const ENGLISH =
  ' the a is are of to in for and we i it that this with on can do does what why how was be my our not ';
