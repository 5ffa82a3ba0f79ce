import { countWords } from '../text/count-words.ts';
import { isEmptyTalk } from '../text/empty-talk.ts';
import { findNames } from '../text/names.ts';
import { endsInQuestion } from '../text/punctuation.ts';
import type { Sentence } from '../text/sentences.ts';
import { createMarker } from './marker.ts';
import { MARKERS } from './markers.ts';

/** An offer, or a question to the person. */
const offer = createMarker(
  "let me know|want me to|would you like|should i|shall i|do you want|may i|would you prefer|if you('d)? (want|like|prefer|wish)|happy to|if you (ever )?need (anything|help|more|me)|just (say|shout|ask|ping|holler)|say the word|anything else|feel free|tell me (if|when|which|whether)|ping me|up to you|your call|i can also|i could also|ready when you are|soll ich|möchtest du|möchten sie|wollen wir|sag(t)? (mir )?(einfach |gern\\p{L}* |ruhig )*bescheid|wenn du (magst|möchtest|willst)|gerne? (auch|noch)|melde dich|dis-moi|dites-moi|veux-tu|voulez-vous|tu veux que|dois-je|si tu (veux|préfères|souhaites)|n'hésite[zs]?|fais-moi signe|quieres que|¿|avísame|dime|si quieres|si prefieres|cuando quieras|quer que|me avis[ae]|se quiser|se preferir|posso (também|já)|é só (falar|avisar)|fammi sapere|vuoi che|se vuoi|laat (me|het) weten|wil je|daj znać|chcesz|дай(те)? знать|если (хочешь|хотите|нужно|надо)|хочешь|хотите|могу (также|ещё|и)|скажи(те)?(?=[ ,]| если)|istersen|haber ver|gdybyś (chcia|potrzebowa)\\p{L}+|jakby co|qualquer coisa(?=,| é)|nếu (bạn )?cần gì|bạn có muốn|hör av dig|säg till|sig til|si fra|beri tahu|أخبرني|أعلمني|बताइए|बता (दें|देना|दीजिए)",
  '需要我|要不要|告诉我|跟我说|随时|如果(?:你)?(?:需要|愿意|想)|お知らせ|お気軽|幸いです|しましょうか|教えてください|ご希望|言ってください|声をかけ|必要でしたら|必要であれば|よろしければ|よければ|좋겠습니다|도움이 되|알려 ?주|말씀해|원하시면|필요하시면|드릴까요|할까요',
);

/** What the agent is about to do, or does right now. */
const intention = createMarker(
  "let me|let's|i'll|i will|i (want|need) to (see|know|check|look|be sure|find out|understand)|i'm going to|going to|i am (?:now )?\\p{L}+ing|i'm (?:now )?\\p{L}+ing|now (i|to|let|for|the)|next(?=,| i(?!\\p{L})| up(?!\\p{L}))|first(?=,| i(?!\\p{L})| let(?!\\p{L}))|trying|checking|looking|running|starting|reading|moving on|back to|time to|on to|rolling|ich (schaue|sehe|prüfe|lese|suche|starte|teste|beginne|versuche|hole|gehe|werde|fange|mache|führe|baue|lasse|nehme|ändere|passe|stelle|schreibe|trage|probiere|messe|räume|ergänze|lege)|schaue(n)?|erst(mal)?|zuerst|dann (mal|jetzt)|je (regarde|vérifie|vais|lance|commence|teste|lis|cherche|corrige|modifie|passe|relance|mets|fais|prends|reproduis|délègue)|regardons|voyons|d'abord|on (regarde|va|lance)|voy a|vamos a|veamos|miro|reviso|empiezo|primero|ahora (voy|reviso|lo|la|toca)|déjame|pruebo|lanzo|vou|vamos|deixa eu|deixe-me|primeiro|agora (vou|eu)|controllo|vado|vediamo|ik (ga|kijk|controleer)|sprawdz\\p{L}+|zobacz\\p{L}+|сейчас|посмотр\\p{L}+|провер(ю|яю|им)|давай(те)?|начн\\p{L}+|запуска\\p{L}+|запущу|смотрю|читаю|поищу|попробу\\p{L}+|сначала|теперь (я|посмотрю|проверю|запущу)|пробую|правлю|меняю|делаю|bakayım|bakıyorum",
  '让我|我先|我来|先(?:看|查|跑|读|确认|复现)|看(?:一下|看|下)|接下来|现在(?:我|来|去|看|跑)|下面|再(?:跑|看|查|确认)|试(?:一下|试)|开始|(?:見|確認し|調べ|試し|実行し|読み|直し|追加し|確かめ|始め|検証し|測っ|探し|作り|書き|変更し|修正し|回し|やり)(?:て(?:み|い(?:き)?)(?:ます|ましょう)|ます|ましょう|てみる)|まず(?:は)?|次に|では、?|(?:보|하|찾|읽|고치|돌리|실행하|확인하|살펴보|시작하|바꾸|추가하|만들)겠습니다|(?:볼|할|확인할|살펴볼|돌려볼|찾아볼|고칠|실행할)게요|먼저|해보겠|보죠|봅시다',
);

/** Promises to follow a rule, which is kept as the person said it. */
const promise = createMarker(
  "i('ll| will) (stick|keep|hold) to (it|that|this)|i('ll| will) (remember|follow|respect) (it|that|this)|ich (halte|richte) mich( \\p{L}+)? (daran|dran|danach)|je m'y tien(s|drai)|lo tendré en cuenta|vou seguir isso|mi ci atterrò|ik hou me eraan|буду (этого )?придерживаться",
  '以后我会(?:遵守|照做)|今後(?:は)?(?:そう|それに従)|앞으로 (?:지키|따르)겠',
);

/** How runs ended, what was committed: what the calls show anyway. */
const outcome = createMarker(
  '(all|both|every|\\d+) (of )?(the )?(\\p{L}+ )?(tests?|specs?|checks?|suites?|examples?)|tests? (are|is|pass|now pass|stay)|pass(es|ed|ing)?(?=[.!]?$|,| again| now| on )|green|committed|pushed|lint|build (is|passes|succeeds)|type-?checks?|compiles?|up and running|healthy|deployed|works( again)?|(went|ran) (through|fine|well|smoothly)|without (problems|issues)|lief(en)?( \\p{L}+)? durch|ohne probleme|sans (problème|souci)|sin problemas|sem problemas|без проблем|alle \\d* ?tests?|tests? (sind|laufen|grün)|grün|bestanden|committet|läuft( wieder)?|gepusht|tests? (passent|au vert|verts?)|au vert|poussé|commité|(todos )?los? (\\d+ )?tests?|pruebas|en verde|pasan?|os testes|testes|passa(m|ram|ndo)?|verdes?|тест\\p{L}*|зел[её]н\\p{L}*|прош(ли|ло|ёл)|проходят|закоммит\\p{L}*|запуш\\p{L}*|собирается|работает',
  'テスト(?:は|も|が)?.{0,12}(?:通|成功|グリーン|パス|緑)|全て(?:通|緑)|すべて(?:通|緑)|コミットし|测试.{0,8}(?:通过|全绿|绿)|全部通过|都(?:过|通过)了|已提交|提交了|编译通过|테스트.{0,14}(?:통과|성공|그린)|모두 통과|커밋(?:했|하)|푸시(?:했|하)|빌드.{0,6}성공',
);

/** With what a sentence begins that is pleased with something. */
export const praise =
  /^(?:(?:nice|great|perfect|excellent|awesome|done|good|cool|voilà|fertig|super|prima|perfekt|klasse|parfait|génial|perfecto|genial|listo|hecho|perfeito|pronto|ótimo|feito|отлично|готово|супер|прекрасно|完成|搞定|太好了|好了|完美|完了|できました|終わりました|완료|좋습니다|다 됐습니다)[\s,.!:;—–-]*)+/iu;

/** Whether a sentence only thanks, praises or says what comes next. */
export function isCourtesy(text: string): boolean {
  return isEmptyTalk(text) || text.replace(praise, '').trim().length < 4;
}

export interface Surroundings {
  isAgent: boolean;
  /** In a message before a call: the last sentence of it. */
  isBeforeCall: boolean;
  /** In the last paragraph of the last message. */
  isAtEnd: boolean;
}

export const NOISES = ['offer', 'question', 'intention', 'outcome', 'courtesy', 'cheer'] as const;
export type Noise = (typeof NOISES)[number];

const lastClause = /^(.{20,}?)(?:(?:\s?[;—–]|,)\s+|[，；]\s?)([^,;—–，；]+)$/su;
const LEAST_WORDS = 4;
/** A person who says more than these does not only report that the tests are green. */
const FEW_WORDS = 7;
/** A clause that begins with one of these belongs to the one before it. */
const subordinate =
  /^(?:so|ob|dass|whether|that|which|who|where|when|if|unless|que|qui|si|se|dat|of|чтобы|что|если|когда|котор\p{L}+)(?![\p{L}])/iu;

/** “…, so I'm handing that to a subagent” */
const nextAct = /^so (?:i'm|i am|i'll|i will) (?:now )?\p{L}+/iu;

/** Without a last clause that only says that the tests are green, or what the agent offers or does next. */
export function dropEmptyClause({ text, code }: Pick<Sentence, 'text' | 'code'>): string {
  const [, rest = '', clause = ''] = lastClause.exec(text) ?? [];
  if (clause === '' || code.some((name) => clause.includes(name)) || countWords(rest) < LEAST_WORDS)
    return text;
  if (nextAct.test(clause) && !MARKERS.choice.test(clause)) return rest;
  const isEmpty =
    countWords(clause) <= 8 && [outcome, offer, intention, promise].some((marker) => marker.test(clause));
  return isEmpty && !subordinate.test(clause) && !MARKERS.cause.test(clause) ? rest : text;
}

/** What keeps a sentence from saying anything that lasts, by its form. */
export function findNoise({ text, code }: Pick<Sentence, 'text' | 'code'>, where: Surroundings): Noise[] {
  const found: Noise[] = [];
  if (where.isAgent && offer.test(text)) found.push('offer');
  if (endsInQuestion(text)) found.push('question');
  if (where.isAgent && intention.test(text.slice(0, 60))) found.push('intention');
  if (outcome.test(text) && code.length <= 1 && (where.isAgent || countWords(text) <= FEW_WORDS))
    found.push('outcome');
  if (isCourtesy(text)) found.push('courtesy');
  if (where.isAgent && isCheer(text) && code.length === 0) found.push('cheer');
  return found;
}

/** “Die Aufteilung steht, alles viel lesbarer! 🎉”: an exclamation that names nothing. */
function isCheer(text: string): boolean {
  return (
    /[!！]\W*$|\p{Extended_Pictographic}\W*$/u.test(text) && !/\d/.test(text) && findNames(text).length === 0
  );
}
