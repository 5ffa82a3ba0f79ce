import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

/** What was picked among several ways. */
export const choice = createMarker({
  en: [
    "went (with|for)|go(ing)? (with|for)|let's (use|take|keep)|chose|chosen|decided",
    'decide (to|on|against|for)|(i|we) decide|decision|opted|picked|settled on|prefer(red)?|deliberate(ly)?',
    'on purpose|by design|intentional(ly)?|considered|trade-?off|overkill|rejected|discarded|ruled out|kept',
    "keeping|stay(s|ing|ed)? (with|at|on)|i'?d? ?(left|leave) (it|the|them)",
    'against(?= (\\p{L}+ing|an?|the)(?!\\p{L}))',
  ],
  de: [
    'entschieden|entscheidung|bewusst|absichtlich|gewählt|verworfen|verwerfe|wähle|entscheide mich',
    'bleibe bei|bleiben bei',
  ],
  fr: 'choisi\\p{L}*|préféré|opté|décid\\p{L}+|délibérément|volontairement|retenu|écart(é|e)|choisis',
  es: [
    'elegí|elijo|decid[íi]\\p{L}*|opt[éo]|preferí|elegido|descart[éo]|descartad[oa]|prefiero|opto',
    'a propósito',
  ],
  pt: 'descartad[oa]|opto|escolh\\p{L}+|decidi\\p{L}*|optei|optamos|preferi|prefiro|descartei|de propósito',
  it: 'opto|scelto|scelgo|scarto|preferisco|deciso|optato',
  nl: 'gekozen|besloten|bewust',
  sv: 'valde|beslutade|bestämde|medvetet',
  da: 'valgte',
  no: 'valgte|bevisst',
  pl: 'wybra\\p{L}+|zdecydowa\\p{L}+|celowo',
  cs: 'zvolil\\p{L}*|rozhodl\\p{L}*|záměrně',
  ru: [
    'выб(ра|ира)\\p{L}+|реши(л|ла|ли)|решение|намеренно|специально|отказа\\p{L}+|предпоч\\p{L}+',
    'оставил\\p{L}*',
  ],
  uk: 'обрав|обрали|вирішив|вирішили|навмисно',
  tr: 'tercih|seçt\\p{L}+',
  ar: 'اخترت|اخترنا|قررت|قررنا|فضلت|عمداً',
  fa: 'انتخاب کرد\\p{L}*|تصمیم|عمدا',
  he: 'בחרתי|בחרנו|החלטתי|החלטנו|בכוונה',
  hi: 'चुना|चुनी|चुनूँगा|तय किया|जानबूझकर',
  vi: 'chọn|quyết định|cố ý',
  id: 'memilih|pilih|memutuskan|sengaja',
  zh: '选择|选了|决定|选用|采用|故意|权衡|放弃|保留',
  ja: '故意|保留|ことにし|採用|選び|選ん|選択|あえて|見送|却下|のでやめ|意図的|選定|方針',
  ko: '하기로|선택|결정|채택|일부러|의도적|보류|택했',
});

/** Which of several ways the agent would take. */
export const leaning = createMarker({
  en: [
    "my pick|i'?d (lean|go|pick|choose|prefer|suggest|recommend|use|take)",
    'i (would|lean|recommend|suggest|propose|favou?r)',
  ],
  de: 'ich (würde|neige|empfehle|tendiere|bevorzuge|schlage)|(würde|empfehle|schlage) ich|mein favorit',
  fr: 'je (pencherais|penche|recommande|conseille|préférerais|propose)',
  es: 'me inclin\\p{L}+|recomiendo|sugiero|preferiría',
  pt: 'eu (iria|usaria)|recomendo|sugiro',
  it: 'consiglio|preferirei|propenderei',
  nl: 'ik zou|ik raad',
  pl: 'polecam|skłaniam',
  ru: 'я бы|предлагаю|рекомендую',
  tr: 'öneririm',
  zh: '我(?:倾向|建议|偏向|推荐)',
  ja: 'おすすめ|お勧め|推奨し|が良いと思',
  ko: '추천|제안(?:합|드)|권장',
});

/** What a list that the person may choose from is called. */
export const options = createMarker({
  en: [
    '(two|three|four|\\d) (ways?|choices|cures|fixes|paths)|options?|alternatives|approaches|possibilities',
    'solutions|alternative',
  ],
  de: 'wege|varianten?|möglichkeiten|optionen',
  fr: 'options?|alternatives|pistes|possibilités|solutions',
  es: 'caminos|opciones|formas|alternativas',
  pt: 'formas|alternativas|opções|caminhos',
  it: 'opzioni|alternative|strade|modi',
  nl: 'varianten?|opties|manieren',
  pl: 'opcje|sposoby',
  ru: 'вариант\\p{L}*|способ\\p{L}*|пут(и|ей)',
  tr: 'seçenek\\p{L}*|yol',
  ar: 'خيارات|طرق',
  hi: 'रास्ते|विकल्प|तरीके',
  zh: '方案|选项|办法|做法',
  ja: '選択肢|やり方|方法は|案が',
  ko: '방법|방안|선택지',
});

/** “Two copies then”: the person ends the choice that the agent laid out. */
export const concludes = createMarker({
  en: "then|let's (go|take|use)|we('ll)? (go|take)",
  de: 'dann|nehmen wir|wir nehmen',
  fr: 'alors|on (part|prend)',
  es: 'entonces',
  pt: 'então',
  it: 'allora',
  nl: 'dan',
  pl: 'wtedy|bierzemy',
  ru: 'тогда|берём',
  tr: 'o zaman',
  vi: 'vậy (thì)?',
  zh: '那就|那么',
  ja: 'では|じゃあ|それなら',
  ko: '그럼|그러면',
});

const USING: Phrases = {
  en: 'uses?|using|utilis\\p{L}+',
  de: 'verwende\\p{L}*|benutz\\p{L}*|nutz\\p{L}*',
  fr: 'utilis\\p{L}+',
  es: 'usa(?:r|mos|n)?',
  pt: 'usa(?:r|mos)?',
  it: 'usa(?:re|iamo)?',
  pl: 'używa\\p{L}*',
  ru: 'использ\\p{L}+',
};

/** “use yarn”, with what is used. */
export const usage = new RegExp(`(?<!\\p{L})(?:${anyOf(USING)})\\s+(\\S+)`, 'iu');
