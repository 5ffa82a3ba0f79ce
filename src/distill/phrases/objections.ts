import { createMarker } from './marker.ts';

/** Phrases with which a person, or an agent that checks a report, says that something is wrong. */
export const objects = createMarker({
  en: [
    '(thing|one|point|finding|remark) can go',
    "(do not|don'?t|can'?t|cannot|could not|couldn'?t) (share|confirm|reproduce|support)",
    '(drop|ignore|skip|forget|scratch) (that|this|it|the|those|number|no|nr|#)',
    "(isn'?t|is not|not|aren'?t) (only|just)|(is|are|was|were|'s) off|can'?t be (right|true)",
    'not what (changed|happen\\p{L}*|we \\p{L}+)|no longer (true|holds?|valid|appl\\p{L}+|the case)',
    "not an? (bug|blocker|problem|issue|risk|error|finding)|does(n'?t| not) (hold|apply|fit|match)",
    'under the impression|you (missed|overlooked|misread|misunderstood|forgot)',
    "is(n't| not) (true|right|correct|so|the case)|that's not|(is|are|you're) (wrong|mistaken|incorrect)",
    "i disagree|don'?t agree|not true",
    "(that's|this is|that is|it's|you're|you are|is) (wrong|mistaken|incorrect)",
    "(that's|this is|that is|it's|you're|you are|is) not (right|correct|so|the case)",
  ],
  de: [
    'kann (weg|raus)|teile ich nicht|(kann|konnte) ich nicht (bestätigen|nachvollziehen)',
    '(streich\\p{L}*|vergiss|ignorier\\p{L}*) (das|den|die|punkt|nr|nummer)|nicht (nur|bloß)',
    'stimmt( \\p{L}+){0,2} nicht|gilt( \\p{L}+){0,2} nicht|nicht (richtig|korrekt|ganz richtig|der fall)',
    'kein (blocker|problem|fehler|bug)|übersehen|trifft( \\p{L}+){0,2} nicht zu|taugt nicht|falsch',
    'stimmt (so )?nicht|stimmt nicht ganz|sehe ich anders|bin nicht einverstanden',
  ],
  fr: [
    'peut (sauter|partir)|ne (partage|confirme) pas|(oublie|ignore|laisse tomber) (ça|le|la|les|ce|cette)',
    "pas (que|seulement|uniquement)|n'est (pas|plus) (vrai|exact|juste|le cas|correct|valable)",
    'ne (tient|vaut|marche|sert) (pas|plus)|inexact|faux|(tu oublies|tu te trompes)',
    "pas un (bug|problème|bloquant|défaut)|pas d'accord|(c'est|est) faux",
  ],
  es: [
    '(se )?puede (quitar|ir)|no (comparto|confirmo|puedo confirmar)',
    '(olvida|ignora|descarta|quita) (eso|ese|esa|el|la|lo)|no (es |son )?(solo|sólo|solamente)',
    'no (sirve|sirven|vale|valen|es correcto|es cierto|es así|aplica|se sostiene|es un (problema|error|bug))',
    'ya no (es|vale|valen|aplica|existe)|te equivocas|no estoy de acuerdo|no es (cierto|así|verdad)',
  ],
  pt: [
    'pode (sair|tirar)|não (concordo|confirmo|compartilho)',
    '(esquece|ignora|descarta|tira) (isso|esse|essa|o|a)|não (é |são )?(só|somente|apenas)',
    'não (serve|vale|valem|procede|se aplica|está certo|é (verdade|assim|um (problema|erro|bug)))',
    'já não (é|vale|existe)|não concordo|discordo|não é (verdade|bem assim)',
  ],
  it: [
    'può (saltare|sparire)|non (condivido|confermo)',
    '(lascia perdere|ignora|dimentica|togli) (quello|quella|questo|questa|il|la|lo)',
    'non (è |sono )?(solo|soltanto)',
    "non (è (così|corretto|vero|un (problema|errore|bug))|vale|valgono|torna|regge)|non sono d'accordo",
    'non è vero',
  ],
  nl: [
    '(mag|kan) weg|deel ik niet|(vergeet|negeer|schrap) (dat|die|het|de)|niet (alleen|enkel)',
    'klopt( \\p{L}+){0,2} niet|geldt( \\p{L}+){0,2} niet|niet mee eens|klopt niet',
  ],
  pl: [
    'można (skreślić|wyrzucić)|nie (potwierdzam|potwierdza się)|(pomiń|zignoruj|zapomnij) \\p{L}+|nie tylko',
    'to nie (tak|prawda|jest błąd)|nieaktualn\\p{L}+|nie zgadzam się|to nieprawda',
  ],
  ru: [
    'можно (убрать|вычеркнуть)|не подтвержда\\p{L}+|(забудь|убери|вычеркни|пропусти) (про|это|этот|пункт)',
    'не только|это не (так|баг|ошибка)|неверно|уже не (так|действует|актуально)|не подходит|не соглас\\p{L}+',
    'это не так|неправда',
  ],
  uk: 'можна (прибрати|викреслити)|не підтверджу\\p{L}+|не лише|не тільки|неправда',
  tr: 'sadece \\p{L}+ değil|yalnızca \\p{L}+ değil|doğru değil|geçerli değil|katılmıyorum',
  zh: [
    '不(?:只|仅|光)(?:是|有)?|忽略|删掉(?:这|那)|不对|不是这样|不成立|不适用|说错|有误|已经不是|不同意|错了',
    '反对',
  ],
  ja: [
    'だけ(?:じゃ|では)|外して|無視して|違います|違う|間違|誤り|そうではな|当てはまりません',
    'もともと.{0,12}(?:ません|ない)|ではありません',
  ],
  ko: '(?:만|뿐)(?:이)? 아니|빼(?:줘|주)|무시|틀렸|아닙니다|아니에요|맞지 않|사실과 달|동의하지|그렇지 않',
});

/** Phrases with which a person says that what the answer criticises is intended. */
export const defends = createMarker({
  en: [
    "no need|not necessary|needs? no|needn'?t|doesn'?t (need|have to)|does not (need|have to)|by design",
    "(is|are|it's|that's) (intended|intentional|on purpose|expected|fine|ok|okay)|not a bug",
  ],
  de: [
    'muss (man )?nicht|braucht (man )?nicht|brauchen wir nicht',
    '(ist|sind) (so )?(ok|okay|in ordnung|gewollt|richtig so)|passt so|so gewollt|ist absicht|mit absicht',
    'kein (bug|fehler)',
  ],
  fr: "pas (besoin|nécessaire)|inutile|(c'est|est|sont) (ok|bon|normal)|c'est voulu|fait exprès",
  es: 'no (hace falta|es necesario)|está(n)? bien|es (a propósito|intencional)|no es un (bug|error)',
  pt: 'não (precisa|é preciso)|tá (ok|certo|bom)|é (de propósito|intencional)|não é (bug|erro)',
  it: 'non (serve|occorre|è necessario)|inutile|va bene( così)?|è voluto',
  nl: 'hoeft niet|(is|zijn) (prima|ok)|met opzet',
  pl: 'nie trzeba|jest (ok|w porządku)|celowo',
  ru: 'не (надо|нужно)|так и надо|нормально|так (и )?задумано|это не (баг|ошибка)|специально',
  uk: 'не (треба|потрібно)|нормально|так і (треба|має бути)',
  tr: 'gerek yok|sorun değil|bilerek',
  zh: '不(?:用|必|需要)|没问题|没关系|故意的|有意|设计如此|不是 ?(?:bug|问题)',
  ja: [
    '直さなくて|修正不要|必要(?:ない|ありません)|問題(?:ない|ありません)|大丈夫|仕様(?:なので|です|通り)',
    '合意済み|設計(?:通り|上)|意図的',
  ],
  ko: '필요(?:없| 없)|안 (?:고쳐|바꿔)도|괜찮|문제(?:없| 없)|의도(?:된|한)|일부러|버그가? 아',
});
