import { createMarker } from './marker.ts';

/** After “never” or “always”: what happens, which is no rule. */
const NO_EVENT =
  '(?! (mind|fails?|returns?|works?|happens?|ends?|ended|removed|been|had|was|is|finished|arrives?))';

/** What has to be, may not be, or is always or never so. */
export const obligation = createMarker({
  en: [
    `must(n't)?|(never|always)${NO_EVENT}|only|should(n't)?|needs? to|have to|has to|had to|do not|don'?t`,
    "cannot|can'?t|won'?t|mustnt|shouldnt|may not|not allowed|forbidden|required?|at (most|least)|mandatory",
    'make sure|careful|beware',
  ],
  de: [
    'muss|müssen|mussten?|darf|dürfen|niemals|(?<![ąćęłńśźż].*)nie(?!.*[ąćęłńśźż])|immer|nur|ausschließlich',
    'soll(en|te|ten)?|mindestens|höchstens|verboten|erst',
  ],
  fr: [
    'doit|doivent|devons|il faut|jamais|toujours|seulement|uniquement|interdit|obligatoire|au (moins|plus)',
    'ne \\p{L}+ (que|plus)',
  ],
  es: [
    'debe(n|mos)?|hay que|tiene(n)? que|nunca|siempre|solo|sólo|solamente|únicamente|prohibido|al menos',
    'como (máximo|mínimo)|jamás',
  ],
  pt: [
    'jamais|nunca|deve(m|mos)?|tem que|têm que|precisa(m)?|sempre|somente|apenas|só|proibido|pelo menos',
    'no (máximo|mínimo)',
  ],
  it: 'solo|deve(m|mos)?|sempre|devono|(?<!\\d\\.? |en |im )mai|soltanto|almeno',
  nl: 'moet(en)?|mag|nooit|altijd|alleen|minstens',
  sv: 'måste|aldrig|alltid|endast|bara',
  da: 'aldrig|altid|kun|skal',
  no: 'aldri|alltid|kun|skal',
  pl: 'musi|muszą|nigdy|zawsze|tylko|nie wolno|trzeba|co najmniej',
  cs: 'musí|nesmí|nikdy|vždy|pouze|jenom|je třeba|alespoň',
  ru: [
    'долж(ен|на|но|ны)|нужно|надо|нельзя|никогда|всегда|только|обязательно|минимум|не более|запрещ\\p{L}+',
    'приходится|следует',
  ],
  uk: "треба|потрібно|не можна|ніколи|завжди|тільки|лише|повин\\p{L}+|обов'язково",
  tr: 'gerek\\p{L}*|asla|her zaman|sadece|yalnızca|zorunda',
  ar: 'يجب|لا يجوز|ممنوع|دائماً|دائما|أبداً|أبدا|فقط|لا بد|ينبغي|على الأقل',
  fa: 'فقط|باید|نباید|همیشه|هرگز|حتما|حتماً',
  he: 'חייב\\p{L}*|אסור|תמיד|אף פעם|רק|לפחות|צריך',
  hi: 'हमेशा|कभी|सिर्फ़|सिर्फ|केवल|ज़रूरी|जरूरी|चाहिए|मत|होगा|पड़ेगा',
  vi: 'phải|luôn|chỉ|không được|ít nhất',
  id: 'harus|jangan|selalu|hanya|wajib|tidak boleh',
  zh: [
    '必须|不许|不准|不能|不要|不得|禁止|总是|永远|只能|只有|只在|一定要?|应该|务必|不可|至少|最多|别(?!的)',
    '需要|一律|从不|每次都|以内|以上|必要',
  ],
  ja: [
    '禁止|必ず|絶対|いけ(?:ない|ません)|ないで|ないこと(?=[。．]?$)|なければ|べき|のみ|だけ|常に|いつも|以内',
    '以上|毎回|なりません|てはダメ|厳禁|必須|必要',
  ],
  ko: [
    '반드시|절대|항상|하지 ?마|말아|말 것|해야|안 됩|안 돼|안 되|금지|최소|최대|매번|무조건',
    '만 (?:사용|허용|가능)|전용|필수',
  ],
});

/** A rule for all times, not for this once. */
export const standing = createMarker({
  en: [
    `(always|never)${NO_EVENT}(?! (the|a|an|null|true|false|seen?|got|gets|shows?))|from now on`,
    'in (the )?future|going forward|next time|as a rule|by convention|convention|every time|whenever',
    'each time|ever|remember|i prefer|i (hate|like)',
    "we (always|never|only|don'?t|do not|use|keep|write|name|put|ship|deploy|commit|mock)|policy|house rule",
    'in this (repo|project|codebase)|around here|one \\p{L}+ per \\p{L}+|per (ticket|pr)',
  ],
  de: [
    'immer|niemals|(?<![ąćęłńśźż].*)nie(?!.*[ąćęłńśźż])|ab (jetzt|sofort)|künftig|in zukunft|grundsätzlich',
    'generell|bei uns|eine?n? \\p{L}+ (pro|je) \\p{L}+',
    'wir (nutzen|verwenden|schreiben|machen|nehmen|committen|haben)|bitte (immer|nie|nur)|jedes mal',
  ],
  fr: [
    "convention|toujours|jamais|désormais|dorénavant|à l'avenir|chez nous|une? \\p{L}+ par \\p{L}+",
    'on (utilise|met|fait|garde|écrit|ne)|systématiquement|la prochaine fois',
  ],
  es: [
    'siempre|nunca|jamás|a partir de ahora|en adelante|aquí (usamos|no)|en este (repo|proyecto)',
    'la próxima vez|por norma|una? \\p{L}+ por \\p{L}+|usamos',
  ],
  pt: [
    'jamais|nunca|usamos|sempre|a partir de agora|daqui pra frente|aqui (a gente|no|usamos)',
    'neste (repo|projeto)|da próxima vez|por padrão|uma? \\p{L}+ por \\p{L}+',
  ],
  it: "sempre|un[ao]? \\p{L}+ per \\p{L}+|(?<!\\d\\.? |en |im )mai|d'ora in poi",
  nl: 'altijd|nooit|voortaan',
  sv: 'alltid|aldrig|hos oss|från och med nu',
  da: 'altid|aldrig|hos os',
  no: 'alltid|aldri|hos oss|fra nu av',
  pl: 'zawsze|nigdy|odtąd|u nas',
  cs: 'vždy|nikdy|od teď|u nás|napříště',
  ru: [
    'всегда|никогда|впредь|отныне|в следующий раз|у нас|как правило|каждый раз',
    'мы (не|всегда|используем|пишем)',
  ],
  uk: 'у нас|завжди|ніколи|відтепер|надалі',
  tr: 'her zaman|asla|bundan sonra',
  ar: 'دائماً|دائما|أبداً|أبدا|من الآن|عندنا|لدينا قاعدة|قاعدة|سياسة|نحن لا',
  fa: 'همیشه|هرگز|از این به بعد|در تیم ما',
  he: 'תמיד|אף פעם|מעכשיו|אצלנו',
  hi: 'हमेशा|कभी नहीं|आगे से|अब से|हमारे यहाँ|हमारे यहां|हम लोग|नियम',
  vi: 'luôn luôn|không bao giờ|từ giờ|bên mình|bên em',
  id: 'selalu|jangan pernah|mulai sekarang|di tim kami|di sini kami',
  zh: [
    '总是|永远|以后|今后|从现在起|一律|始终|务必|每次|我们(?:这边|这里|团队|项目|从不|都|一直)|不要再|记住',
    '规范|约定|惯例',
  ],
  ja: [
    '統一|今後|これから|いつも|常に|必ず|毎回|絶対|うち(?:の|は|では)|ルール|このプロジェクト|方針',
    'ないでください',
  ],
  ko: '앞으로|항상|절대|매번|우리(?:는| 팀| 프로젝트|가)|저희|원칙|규칙|다음부터|무조건|반드시',
});
