import { createMarker } from './marker.ts';

/** A guess: what was meant to be so, perhaps. */
export const guess = createMarker({
  en: [
    'hypothes[ie]s|(makes?|made) me think of|maybe|perhaps|probably|might|could be',
    '(can )?only guess|i (suspect|guess|think|assume|wonder|believe|bet|expect)|likely|seems?|looks like|presumably|apparently',
    'in theory|theoretically|my (guess|hunch|first (guess|thought))',
    'should (cover|do|fix|help|be enough|work|be it)|first (guess|suspicion|hypothesis)',
    "if (that's|that is|this is|i'm|i am) right|if so|suspect(ed)?|suspicion|surely",
  ],
  de: [
    'hypothesen?|theoretisch|vielleicht|vermutlich|wahrscheinlich|könnte|scheint',
    'ich (vermute|glaube|denke|nehme an)|wohl|verdacht|vermutung|sicherlich',
  ],
  fr: [
    'hypothèses?|en théorie|peut-être|sûrement|soupçons?|probablement|sans doute|semble',
    'je (soupçonne|pense|crois)|pourrait',
  ],
  es: [
    'hipótes[ei]s?|en teoría|quizás?|tal vez|probablemente|parece|podría|sospecho|sospechas?|seguramente',
    'creo que|puede que',
  ],
  pt: [
    'hipótes[ei]s?|em (tese|teoria)|parece|seguramente|talvez|provavelmente|pode ser|suspeito|suspeitas?',
    'acho que',
  ],
  it: 'ipotesi|in teoria|forse|sospett[oi]|sicuramente|probabilmente|sembra',
  nl: 'hypothesen?|theoretisch|misschien|waarschijnlijk|lijkt|vermoed\\p{L}*',
  sv: 'kanske|troligen|sannolikt',
  da: 'måske',
  no: 'kanskje',
  pl: 'hipotez\\p{L}*|może|chyba|zapewne|podejrzewam|podejrzeni\\p{L}+|prawdopodobnie',
  cs: 'možná|asi|pravděpodobně|zřejmě',
  ru: [
    'гипотез\\p{L}*|теоретически|по идее|возможно|может быть|наверное|похоже|вероятно|видимо|наверняка',
    'подозреваю|подозрени\\p{L}+|кажется|скорее всего|думаю',
  ],
  uk: 'можливо|мабуть|ймовірно|здається',
  tr: 'hipotez\\p{L}*|belki|muhtemelen|sanırım|herhalde|şüphe\\p{L}*',
  ar: 'ربما|يبدو|أظن|أعتقد|على الأرجح',
  fa: 'شاید|به نظر|احتمالا|احتمالاً',
  he: 'אולי|כנראה|נראה ש\\p{L}*',
  hi: 'शायद|लगता है|संभवतः',
  vi: 'có lẽ|có thể|chắc là',
  id: 'mungkin|sepertinya|barangkali',
  zh: '假说|按理说|照理|理论上|可能|也许|大概|似乎|应该是|怀疑|估计|看起来|猜|恐怕',
  ja: [
    '仮説|理論上|可能|かもしれ|おそらく|恐らく|多分|たぶん|と思われ|と思い|ようです|っぽい|疑(?:い|っ|わ)',
    'でしょう|はずです',
  ],
  ko: '가설|이론상|아마|것 같|듯(?:합|하|해)|수도 있|의심|추정|추측',
});

/** The opposite of what was thought: a guess that a look refuted. */
export const refutation = createMarker({
  en: [
    'kill(s|ed) (the|that|this|my) (\\p{L}+ )?(theory|idea|hypothesis|suspicion)|(is|are) out(?=[.:;,]|$)',
    'excluded on the way|not (the (cause|culprit|reason|problem|issue|bottleneck)|to blame)|nothing changed',
    'ruled? out|ruling out|wrong|refut(ed|es)|no difference|(same|identical) (numbers?|time|result)',
    "didn't (help|change|matter)|did not (help|change|matter)|does(n't| not) (help|explain|matter)",
    'red herring|dead end|off the table|false (alarm|positive)',
    "(won't|will not|does(n't| not)|did(n't| not)) work|innocent|contrary|disproved?",
  ],
  de: [
    'fehlalarm|vom tisch|geht (so )?nicht|falsch|nicht (die ursache|schuld)|nichts geändert|ausgeschlossen',
    'widerlegt|sackgasse|brachte nichts|hilft nicht',
  ],
  fr: [
    "faux positif|ne (marche|fonctionne) pas|innocent|pas (la cause|le coupable|en cause)|rien n'a changé",
    'écart(é|e)e?|faux|ne change rien|fausse piste',
  ],
  es: [
    'falso positivo|fals[oa] alarm[ae]?|no funciona|no (era|es (el culpable|la causa))',
    'nada (cambió|ha cambiado)|descartad[oa]|equivocad[oa]|falso|no cambia',
  ],
  pt: [
    'falso positivo|fals[oa] alarm[ae]?|não funciona|descartad[oa]|equivocad[oa]|falso',
    'não (era|é (o culpado|a culpada|a causa))|nada mudou|errad[oa]|não muda',
  ],
  it: 'falso positivo|falso|non (era|è (il colpevole|la causa))|non è cambiato nulla|esclus[oa]',
  nl: 'niet de (oorzaak|boosdoener)|niets veranderd',
  sv: 'inte orsaken|uteslut\\p{L}+|fel',
  da: 'ikke årsagen',
  pl: 'nie (jest )?(przyczyną|winn\\p{L}+)|nic się nie zmieniło',
  cs: 'není příčin\\p{L}+|vyloučen\\p{L}+|chybn\\p{L}+',
  ru: [
    'ложн\\p{L}+|не (работает|подходит)|не в этом|не причина|исключ\\p{L}+|неверн\\p{L}+',
    'ошиб(ался|лась|очн\\p{L}+)|не помог\\p{L}*|не меняет|ничего не изменил\\p{L}+|не виноват\\p{L}*',
  ],
  uk: 'не причина|хибн\\p{L}+|ні до чого',
  ar: 'ليس السبب|ليست السبب|خطأ|مستبعد|لا علاقة',
  fa: 'اشتباه|علت نیست',
  he: 'לא הסיבה|שגוי',
  hi: 'वजह नहीं|कारण नहीं|ग़लत|गलत',
  vi: 'không phải nguyên nhân',
  id: 'bukan penyebab\\p{L}*|salah',
  zh: '不行|行不通|误报|不是(?:原因|这个)|排除|推翻|猜错|没有(?:变化|区别|效果)|无效|并非',
  ja: '誤検知|うまくいき?ません|だめ|排除|原因ではな|違いました|外れ|関係ありません|変わりません|変わらない',
  ko: '오탐|안 됩니다|안 되네|무관|아니었|틀렸|배제|변화가 없|차이가 없',
});
