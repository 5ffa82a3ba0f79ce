import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

const TO_WHOM = '(?: [\\p{L} ]{1,30})?';

const OPENING: Phrases = {
  en: [
    "you(?:'re| are)(?: absolutely| quite| completely)? right|my mistake|sorry(?: about (?:that|this|it))?",
    '(?:my )?apologies|good thing i (?:looked|checked)|done|fixed it|great|perfect',
    'good (?:catch|question|point|instinct|eye|thinking|hunch)|great question',
    '(?:great|nice|good|excellent) (?:find|catch|work|job)|neither(?: of (?:them|the two))?|yes|no|sure',
    'understood|ok(?:ay)?|alright|got it|right|agreed|exactly|all done|confirmed|found it',
    `(?:thanks|thank you)${TO_WHOM}`,
  ],
  de: `entschuldigung|tut mir leid|stimmt|weder noch|fertig|erledigt|ja|klar|verstanden|danke${TO_WHOM}`,
  fr: `désolée?|pardon|tu as raison|vous avez raison|ni l'un ni l'autre|oui|voilà|merci${TO_WHOM}`,
  es: [
    'perd[oó]n|lo siento|tienes razón|ni lo uno ni lo otro|ni una cosa ni la otra|sí|listo|hecho',
    `gracias${TO_WHOM}`,
  ],
  pt: `desculpe?a?|tem razão|nem um nem outro|obrigad[oa]${TO_WHOM}`,
  it: `scusa(?:mi)?|né l'uno né l'altro|grazie${TO_WHOM}`,
  nl: `bedankt${TO_WHOM}`,
  pl: `przepraszam|(?:dzięki|dziękuję)${TO_WHOM}`,
  ru: `извини(?:те)?|прошу прощения|верно|ты прав|спасибо${TO_WHOM}`,
  uk: `вибач(?:те)?|дякую${TO_WHOM}`,
  tr: `teşekkürler${TO_WHOM}`,
  zh: `抱歉|对不起|你说得对|好的|完成|(?:谢谢|感谢)${TO_WHOM}`,
  ja: 'すみません|失礼しました|申し訳ありません|おっしゃる通り(?:です)?|はい|いいえ|完了しました|できました',
  ko: '죄송합니다|맞습니다',
};

/** Words before the point: “Done — the test passes” says “the test passes”. */
export const opening = new RegExp(
  `^(?:[¡¿]?(?:${anyOf(OPENING)})(?:\\s*[.!。！]\\s*|\\s*[—–-]{1,2}\\s+|\\s*[,:;、，：；]\\s*))+(?=\\S)`,
  'iu',
);

const NOTING: Phrases = {
  en: '(?:please )?note that|keep in mind that|bear in mind that|be aware that|remember that',
  de: 'beachte,? dass|bitte beachte,? dass|denk daran,? dass',
  fr: 'notez? que|à noter que|attention,',
  es: 'ten en cuenta que|nota que',
  pt: 'note que|lembre-se (?:de )?que|tenha em mente que',
  it: 'nota che|tieni presente che',
  nl: 'let op dat|houd er rekening mee dat',
  pl: 'pamiętaj,? że|zwróć uwagę,? że',
  ru: 'учти(?:те)?,? что|обрати(?:те)? внимание,? что',
  uk: 'зверни увагу,? що|майте на увазі,? що',
};

/** “Note that the cap is …”: the cap is what it is about. */
export const noting = new RegExp(`^(?:${anyOf(NOTING)})\\s+(?=\\S)`, 'iu');

const REFUSING: Phrases = {
  en: 'hey|no|nope|wait|sorry',
  de: 'nein|stopp?|entschuldigung|ne',
  fr: 'non|pardon|désolée?',
  es: 'no|perd[oó]n',
  pt: 'opa|oi|não|desculpa',
  it: 'scusa',
  pl: 'hej',
  ru: 'нет|не|извини(?:те)?',
  zh: '不好意思|抱歉',
  ja: 'すみません|ごめん(?:なさい)?',
  ko: '죄송(?:하지만|합니다)?',
};

const REMINDING: Phrases = {
  en: 'please|pls|remember|btw|also|and|but|(?:ah|oh)(?: right)?|hm+|um|well|ok(?:ay)?',
  de: 'also|und|aber|bitte|denk dran|ach so|übrigens|naja|tja|ähm?',
  fr: 'rappel',
  es: 'recuerda|ojo',
  pt: 'lembra',
  ru: 'ах да|кстати',
  zh: '对了|还有',
  ja: 'ところで',
  ko: '그리고|근데',
};

/** “No, …” is left out with its comma only: “no lances el job” without its first word would say the opposite. */
const REFUSAL = `(?:${anyOf(REFUSING)})[,.;:!，、]+`;
const REMINDER = `(?:${anyOf(REMINDING)})(?:\\s+that)?(?:[,.:;!，、：]+|(?=\\s))`;

/** “no,”, “please remember:” and the like before what a person wants kept. */
export const beforeRule = new RegExp(`^(?:(?:${REFUSAL}|${REMINDER})\\s*)+`, 'iu');

const ACCEPTING: Phrases = {
  en: [
    'ok(?:ay)?|yes|yep|yeah|sure|go(?! (?:with|for))|go ahead|do (?:it|that|so)|please do|continue|proceed',
    'sounds good|looks good|lgtm|perfect|great|agreed|fine|right|both',
    'the (?:first|second|third|last)(?: one)?|option \\w+|fix it',
  ],
  de: 'ja|mach (?:das|es|weiter)|weiter|bitte|genau|passt',
  fr: "oui|vas-y|continue|d'accord",
  es: 'sí|si|vale|adelante|hazlo|sigue',
  pt: 'sim|vai|pode|beleza|isso',
  it: 'si|va bene|sì|procedi',
  nl: 'doe maar|prima|akkoord',
  pl: 'tak|dobra|dobrze|śmiało',
  ru: 'да|ок|окей|давай\\p{L}*|хорошо|согласен',
  uk: 'так|добре|гаразд',
  tr: 'evet|tamam|olur',
  zh: '好|好的|可以|继续|行|是的|同意',
  ja: 'はい|いいね|了解|お願いします|お願い|続けて|それで',
  ko: '네|예|좋아\\p{L}*|그래|ㅇㅋ',
};

/** “Yes”, “go ahead”, “mach weiter” */
export const agreement = new RegExp(`^(?:${anyOf(ACCEPTING)})(?:[\\s,.!、。，！]+|$)`, 'iu');

const BUT: Phrases = {
  en: 'but',
  de: 'aber|allerdings|nur',
  fr: 'mais',
  es: 'pero',
  pt: 'mas|porém',
  it: 'ma|però',
  nl: 'maar',
  sv: 'men',
  pl: 'ale',
  ru: 'но',
  uk: 'але',
  tr: 'ama|fakat|ancak',
  zh: '不过|但是?',
  ja: 'でも|ただ',
  ko: '하지만|그런데|근데',
};

/** “had a look, fine so far, but …”: with what a person begins who thinks of the answer before. */
export const verdict = new RegExp(
  `^[^.!?:]{2,50}?[,;，、]\\s*(?:${anyOf(BUT)})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])[,，、]?\\s*`,
  'iu',
);

export const thanks = createMarker({
  en: 'thanks|thank you|thx|cheers',
  de: 'danke\\p{L}*|merci',
  fr: 'merci',
  es: 'gracias',
  pt: 'obrigad[oa]|valeu',
  it: 'grazie',
  nl: 'bedankt|dank je',
  sv: 'tack',
  pl: 'dzięki|dziękuję',
  cs: 'díky|děkuji',
  ru: 'спасибо',
  uk: 'дякую',
  tr: 'teşekkür\\p{L}*|sağ ol',
  zh: '谢谢|多谢|感谢',
  ja: 'ありがと|感謝|助かり',
  ko: '감사|고마',
});
