import { createMarker } from './marker.ts';
import type { Phrases } from './phrases.ts';

/** Phrases with which an agent admits that it was wrong. */
export const CONCEDING: Phrases = {
  en: [
    "you'?re (absolutely |quite |completely |of course )?right|you are (absolutely |quite )?right",
    'fair (point|enough)|my (mistake|bad|error)|i was (wrong|mistaken)',
    'i (misread|overlooked|misremembered|stand corrected|withdraw|retract)',
    'i (had|have) (misread|overlooked|missed|only (read|looked|seen|checked))|i take (\\S+ ){1,4}back',
    'i got (that|it|this) wrong|i (must |have to )?correct (myself|that|this|my)|let me correct',
    'my (earlier|previous|first) (answer|claim|explanation|statement)',
    '(that|this|it|which) changes (things|a lot|the (picture|answer)|everything)|scratch that',
    'i (had )?(wrongly )?assumed|(thanks|thank you) for (the correction|correcting)',
    "(he|she|they)( is| are|'s|'re) right",
  ],
  de: [
    'ich korrigiere|ich muss (\\p{L}+ )?korrigieren',
    '(du hast|sie haben|ihr habt|hast du|haben sie) (völlig |natürlich )?recht|mein fehler',
    'ich (lag|habe mich|hatte mich) (\\p{L}+ ){0,2}(falsch|daneben|geirrt|vertan)',
    'nehme (\\p{L}+ ){1,3}zurück|da lag ich falsch|\\p{L}+ hat recht',
    'das ändert (einiges|alles|die lage|das bild)|danke für (den hinweis|die korrektur)',
    'ich (bin|war) davon ausgegangen',
  ],
  fr: [
    "je (me )?corrige|(tu as|vous avez) (tout à fait |bien )?raison|je (me suis|m'étais) tromp\\p{L}+",
    "j'avais tort|je retire|(au temps|autant) pour moi|mon erreur|(ça|cela) change (tout|la donne)",
    'merci pour la (précision|correction)|je (pensais|croyais) que',
  ],
  es: [
    '(me )?corrijo|(tienes|tiene|tenés|tienen) (toda la )?razón|me (equivoqué|había equivocado)|retiro',
    '(error mío|mi error)|eso (lo )?cambia (todo|las cosas)|gracias por la (aclaración|corrección)',
    '(supuse|asumí|di por hecho)',
  ],
  pt: [
    '(me )?corrijo|(você tem|tem|tens|tinha) (toda a )?razão|me enganei|errei|(erro meu|meu erro)',
    'isso muda (tudo|as coisas)|obrigad[oa] pela correção',
  ],
  it: [
    '(mi )?correggo|(hai|ha|avete) (perfettamente )?ragione|mi (sono|ero) sbagliat[oa]',
    '(errore mio|mio errore)|la mia risposta di prima|questo cambia (tutto|le cose)',
    'grazie (della|per la) (precisazione|correzione)|avevo dato per scontato',
  ],
  nl: 'ik corrigeer|(je hebt|u hebt|u heeft) gelijk|mijn fout|ik (had|heb) me vergist',
  pl: 'poprawiam|prostuję|masz rację|mój błąd|(myliłem|pomyliłem) się|wycofuję',
  ru: [
    '(поправля|исправля)юсь|(ты|вы) (был\\p{L}* )?прав\\p{L}*|я ошиб\\p{L}+|моя ошибка|это (всё )?меняет',
    'я (думал|считал|предполагал)\\p{L}*|спасибо за (уточнение|поправку)',
  ],
  tr: 'düzelt(iyorum|eyim|mem)|haklısın\\p{L}*|benim hatam|yanılmışım',
  zh: [
    '(?:我)?更正|(?:你|您)说得对|我(?:弄|搞|看|理解|说)?错了|是我(?:的错|疏忽|没)|我收回|(?:感谢|谢谢)指正',
    '我以为',
  ],
  ja: [
    '訂正し|その通り|(?:おっしゃる|ご指摘の)(?:通り|とおり)|確認不足|私の(?:誤り|間違い|勘違い)',
    '(?:間違って|誤って)いました|取り下げ|撤回し|ご指摘ありがとう|思い込んで',
  ],
  ko: '정정(?:합|하|드)|말씀이 맞|말씀하신 대로|제가 (?:잘못|틀렸|착각)|제 (?:실수|착오)|철회|지적 감사',
};

export const concedes = createMarker(CONCEDING);

/** Phrases with which an agent refers to what it said; with a negation, a retraction. */
export const quotesItself = createMarker({
  en: 'i (wrote|said|claimed|stated|told you|reported)',
  de: 'ich (hatte|habe) (\\p{L}+ ){0,4}(geschrieben|gesagt|behauptet|gemeldet)',
  fr: "j'(avais|ai) (dit|écrit|affirmé)",
  es: '(he|había) (dicho|escrito|afirmado)',
  pt: '(eu )?(disse|escrevi|tinha dito|afirmei)',
  it: '(ho|avevo) (detto|scritto)',
  nl: 'ik (schreef|zei)',
  pl: '(na)?pisałem',
  ru: 'я (писал|говорил|утверждал|написал|сказал)\\p{L}*',
  tr: 'yazmıştım|demiştim',
  zh: '我(?:之前|刚才|上面|前面)(?:说|写|提到)',
  ja: 'と(?:書き|言い|申し上げ|お伝えし)ました',
  ko: '라고 (?:했|썼|적었|말씀드렸)',
});
