import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

/** An offer, or a question to the person. */
export const offer = createMarker({
  en: [
    'let me know|want me to|would you like|should i|shall i|do you want|may i|would you prefer',
    "if you('d)? (want|like|prefer|wish)|happy to|if you (ever )?need (anything|help|more|me)",
    'just (say|shout|ask|ping|holler)|say the word|anything else|feel free|tell me (if|when|which|whether)',
    'ping me|up to you|your call|i can also|i could also|ready when you are',
  ],
  de: [
    'soll ich|möchtest du|möchten sie|wollen wir|sag(t)? (mir )?(einfach |gern\\p{L}* |ruhig )*bescheid',
    'wenn du (magst|möchtest|willst)|gerne? (auch|noch)|melde dich',
  ],
  fr: [
    "dis-moi|dites-moi|veux-tu|voulez-vous|tu veux que|dois-je|si tu (veux|préfères|souhaites)|n'hésite[zs]?",
    'fais-moi signe',
  ],
  es: 'quieres que|¿|avísame|dime|si quieres|si prefieres|cuando quieras|me avis[ae]',
  pt: [
    'quer que|me avis[ae]|se quiser|se preferir|posso (também|já)|é só (falar|avisar)|qualquer coisa(?=,| é)',
  ],
  it: 'fammi sapere|vuoi che|se vuoi',
  nl: 'laat (me|het) weten|wil je',
  sv: 'hör av dig|säg till',
  da: 'sig til',
  no: 'si fra',
  pl: 'daj znać|chcesz|gdybyś (chcia|potrzebowa)\\p{L}+|jakby co',
  ru: [
    'дай(те)? знать|если (хочешь|хотите|нужно|надо)|хочешь|хотите|могу (также|ещё|и)',
    'скажи(те)?(?=[ ,]| если)',
  ],
  tr: 'istersen|haber ver',
  ar: 'أخبرني|أعلمني',
  hi: 'बताइए|बता (दें|देना|दीजिए)',
  vi: 'nếu (bạn )?cần gì|bạn có muốn',
  id: 'beri tahu',
  zh: '需要我|要不要|告诉我|跟我说|随时|如果(?:你)?(?:需要|愿意|想)',
  ja: [
    'お知らせ|お気軽|幸いです|しましょうか|教えてください|ご希望|言ってください|声をかけ|必要でしたら',
    '必要であれば|よろしければ|よければ',
  ],
  ko: '좋겠습니다|도움이 되|알려 ?주|말씀해|원하시면|필요하시면|드릴까요|할까요',
});

/** How a Japanese verb ends with which the agent says what it does now. */
const DOING = '(?:て(?:み|い(?:き)?)(?:ます|ましょう)|ます|ましょう|てみる)';

/** What the agent is about to do, or does right now. */
export const intention = createMarker({
  en: [
    "let me|let's|i'll|i will|i (want|need) to (see|know|check|look|be sure|find out|understand)",
    "i'm going to|going to|i am (?:now )?\\p{L}+ing|i'm (?:now )?\\p{L}+ing|now (i|to|let|for|the)",
    'next(?=,| i(?!\\p{L})| up(?!\\p{L}))|first(?=,| i(?!\\p{L})| let(?!\\p{L}))|trying|checking|looking',
    'running|starting|reading|moving on|back to|time to|on to|rolling',
  ],
  de: [
    'ich (schaue|sehe|prüfe|lese|suche|starte|teste|beginne|versuche|hole|gehe|werde|fange|mache|führe)',
    'ich (baue|lasse|nehme|ändere|passe|stelle|schreibe|trage|probiere|messe|räume|ergänze|lege)|schaue(n)?',
    'erst(mal)?|zuerst|dann (mal|jetzt)',
  ],
  fr: [
    'je (regarde|vérifie|vais|lance|commence|teste|lis|cherche|corrige|modifie|passe|relance|mets)',
    "je (fais|prends|reproduis|délègue)|regardons|voyons|d'abord|on (regarde|va|lance)",
  ],
  es: [
    'voy a|vamos a|veamos|miro|reviso|empiezo|primero|ahora (voy|reviso|lo|la|toca)|déjame|pruebo|lanzo',
    'vamos',
  ],
  pt: 'vou|vamos|deixa eu|deixe-me|primeiro|agora (vou|eu)',
  it: 'controllo|vado|vediamo',
  nl: 'ik (ga|kijk|controleer)',
  pl: 'sprawdz\\p{L}+|zobacz\\p{L}+',
  ru: [
    'сейчас|посмотр\\p{L}+|провер(ю|яю|им)|давай(те)?|начн\\p{L}+|запуска\\p{L}+|запущу|смотрю|читаю|поищу',
    'попробу\\p{L}+|сначала|теперь (я|посмотрю|проверю|запущу)|пробую|правлю|меняю|делаю',
  ],
  tr: 'bakayım|bakıyorum',
  zh: [
    '让我|我先|我来|先(?:看|查|跑|读|确认|复现)|看(?:一下|看|下)|接下来|现在(?:我|来|去|看|跑)|下面',
    '再(?:跑|看|查|确认)|试(?:一下|试)|开始',
  ],
  ja: [
    `(?:見|確認し|調べ|試し|実行し|読み|直し|追加し|確かめ|始め|検証し|測っ)${DOING}`,
    `(?:探し|作り|書き|変更し|修正し|回し|やり)${DOING}|まず(?:は)?|次に|では、?`,
  ],
  ko: [
    '(?:보|하|찾|읽|고치|돌리|실행하|확인하|살펴보|시작하|바꾸|추가하|만들)겠습니다',
    '(?:볼|할|확인할|살펴볼|돌려볼|찾아볼|고칠|실행할)게요|먼저|해보겠|보죠|봅시다',
  ],
});

/** Promises to follow a rule, which is kept as the person said it. */
export const promise = createMarker({
  en: [
    "i('ll| will) (stick|keep|hold) to (it|that|this)|i('ll| will) (remember|follow|respect) (it|that|this)",
  ],
  de: 'ich (halte|richte) mich( \\p{L}+)? (daran|dran|danach)',
  fr: "je m'y tien(s|drai)",
  es: 'lo tendré en cuenta',
  pt: 'vou seguir isso',
  it: 'mi ci atterrò',
  nl: 'ik hou me eraan',
  ru: 'буду (этого )?придерживаться',
  zh: '以后我会(?:遵守|照做)',
  ja: '今後(?:は)?(?:そう|それに従)',
  ko: '앞으로 (?:지키|따르)겠',
});

/** How runs ended, what was committed: what the calls show anyway. */
export const outcome = createMarker({
  en: [
    '(all|both|every|\\d+) (of )?(the )?(\\p{L}+ )?(tests?|specs?|checks?|suites?|examples?)',
    'tests? (are|is|pass|now pass|stay)|pass(es|ed|ing)?(?=[.!]?$|,| again| now| on )|green|committed|pushed',
    'lint|build (is|passes|succeeds)|type-?checks?|compiles?|up and running|healthy|deployed|works( again)?',
    '(went|ran) (through|fine|well|smoothly)|without (problems|issues)',
  ],
  de: [
    'lief(en)?( \\p{L}+)? durch|ohne probleme|alle \\d* ?tests?|tests? (sind|laufen|grün)|grün|bestanden',
    'committet|läuft( wieder)?|gepusht',
  ],
  fr: 'sans (problème|souci)|tests? (passent|au vert|verts?)|au vert|poussé|commité',
  es: 'sin problemas|(todos )?los? (\\d+ )?tests?|pruebas|en verde|pasan?|verdes?',
  pt: 'sem problemas|os testes|testes|passa(m|ram|ndo)?|verdes?',
  ru: [
    'без проблем|тест\\p{L}*|зел[её]н\\p{L}*|прош(ли|ло|ёл)|проходят|закоммит\\p{L}*|запуш\\p{L}*|собирается',
    'работает',
  ],
  zh: '测试.{0,8}(?:通过|全绿|绿)|全部通过|都(?:过|通过)了|已提交|提交了|编译通过',
  ja: 'テスト(?:は|も|が)?.{0,12}(?:通|成功|グリーン|パス|緑)|全て(?:通|緑)|すべて(?:通|緑)|コミットし',
  ko: '테스트.{0,14}(?:통과|성공|그린)|모두 통과|커밋(?:했|하)|푸시(?:했|하)|빌드.{0,6}성공',
});

const PRAISING: Phrases = {
  en: 'nice|great|perfect|excellent|awesome|done|good|cool|super',
  de: 'fertig|super|prima|perfekt|klasse',
  fr: 'voilà|super|parfait|génial',
  es: 'perfecto|genial|listo|hecho',
  pt: 'genial|perfeito|pronto|ótimo|feito',
  ru: 'отлично|готово|супер|прекрасно',
  zh: '完成|搞定|太好了|好了|完美',
  ja: '完了|できました|終わりました|完成',
  ko: '완료|좋습니다|다 됐습니다',
};

/** With what a sentence begins that is pleased with something. */
export const praise = new RegExp(`^(?:(?:${anyOf(PRAISING)})[\\s,.!:;—–-]*)+`, 'iu');
