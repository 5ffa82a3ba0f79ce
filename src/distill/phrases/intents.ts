import { createPattern } from './pattern.ts';

/** Where a question begins. */
const START = '(?<=^\\s*|[.!?,:;]\\s+)';
/** … or where a clause with one begins: “tell me where …”. */
const LEAD = '(?<=^\\s*|[.!?,:;]\\s+|know |me |and )';

export const asksToRefactor = createPattern({
  en: [
    'refactor\\p{L}*|renam(e|ing)|extract|move|split( up)?|dedupe|deduplicate|inline|clean ?up|tidy',
    'restructure|reorgani[sz]e|simplify|consolidate|migrate',
  ],
  de: 'umbenennen|benenne|aufteilen|teile|umbauen|aufräumen|verschiebe',
  fr: 'renomme[rz]?|déplace[rz]?|refactori[sz]\\p{L}*',
  es: 'renombra|mueve|separa',
  zh: '整理|重构|重命名|拆分|移动',
  ja: 'リファクタ|名前を変|分割|整理|移動',
});

export const asksToFix = createPattern({
  en: [
    'fix(es|ed)?|bugs?|broken|breaks?|crash(es|ed|ing)?|fail(s|ed|ing|ure)?|red|wrong(ly)?|errors?|throws?',
    "does(n't| not) work|not working|regression|repair|incorrect(ly)?|hangs?|stuck",
    'too (many|much|few|little|early|late)|returns? (null|undefined|nothing|nan)|disappears?|twice|leaks?',
  ],
  de: 'fehler\\p{L}*|kaputt|behebe?n?|repariere?n?|falsch\\p{L}*|schlägt|abstürz\\p{L}*|stürzt|stimmt nicht',
  fr: 'corrige[rz]?|erreur|cassé|plante|répare[rz]?|bogue',
  es: 'arregla(r)?|corrige|falla|roto|error(es)?',
  zh: '修复|修一下|修好|修下|解决|错误|报错|失败|不对|崩溃|有问题',
  ja: '修正|直し|直す|バグ|エラー|失敗|落ち|壊れ|おかし|不具合|治し',
});

export const asksToExplain = createPattern({
  en: [
    `${LEAD}(how|what|where|which|who|when)`,
    `${START}(do|does|did|is|are|was|were|has|have|can|could|will|would)(?= (?!you\\b)[^.!]*\\?$)`,
    'are you sure|why (is|are|does|do|did)|explain|walk me through|describe|tell me',
  ],
  de: [
    `${LEAD}(wofür|wozu|woher|welche\\p{L}*|wer|wann|was)|wie (funktioniert|geht|wird|werden|ist)`,
    'was (ist|macht|passiert)|wo (ist|wird|werden|steht)|warum|wieso|weshalb|erklär\\p{L}*',
  ],
  fr: `${LEAD}(à quoi|quel(le)?s?)|comment|pourquoi|explique[rz]?|où`,
  es: `${LEAD}(cuál(es)?|para qué)|cómo|por qué|explica|dónde|qué`,
  zh: '怎么|为什么|如何|什么|哪里|解释|说明',
  ja: 'どう|なぜ|何|どこ|説明|教えて',
});

export const asksToInvestigate = createPattern({
  en: [
    'find out|investigate|go through|check( (whether|if|every|all))?|look (into|at|for)|search|analy[sz]e',
    'compare|audit|review|measure|profile|debug|diagnose|evaluate',
  ],
  de: 'untersuche?n?|prüfe?n?|finde heraus|schau',
  fr: 'vérifie[rz]?|analyse[rz]?|regarde',
  es: 'investiga|comprueba|revisa|analiza',
  zh: '调查|检查|看看|分析|查一下',
  ja: '調べ|調査|確認して|検証|比較',
});

export const asksToAdd = createPattern({
  en: [
    'add(s|ing)?|give|implement|create|build|support|introduce|write|make(?! (it|this|that|them)\\b)|new',
    'allow|let (users|people|us|me)|set up|enable|provide|generate|extend',
  ],
  de: 'füge?|hinzu\\p{L}*|ergänze?n?|baue?n?|erstelle?n?|implementiere?n?|schreibe?n?',
  fr: 'ajoute[rz]?|crée[rz]?|implémente[rz]?|écris',
  es: 'añade|agrega|crea|implementa|escribe',
  zh: '添加|实现|新增|创建|增加|支持',
  ja: '追加|実装|作成|作って|対応して',
});

export const keepsBehaviour = createPattern({
  en: [
    'everywhere|behaviou?r (must|should|has to|stays?|remains?) .{0,20}(same|unchanged)',
    'no (functional|behaviou?r) changes?|refactor\\p{L}*',
  ],
  zh: '重构',
  ja: 'リファクタ',
});
