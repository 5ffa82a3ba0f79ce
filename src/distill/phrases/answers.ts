import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

/** What a person asks who does not believe an answer. */
export const doubts = createMarker({
  en: [
    '(are|r) (you|u) (\\p{L}+ )?(sure|certain)|really',
    '(look|check|measure|count|read|test|try|run)( (\\p{L}+ ){0,3})again|double[- ]check|recheck',
    "look (closer|more closely)|i (doubt|don'?t think|don'?t believe|thought)",
  ],
  de: [
    '(bist|sind) (du|sie) (dir |sich )?sicher|sicher|wirklich|schau( \\p{L}+){0,2} noch ?mal',
    '(glaub\\p{L}*|denk\\p{L}*) (ich )?nicht|echt',
  ],
  fr: "t'es sûr|(tu es|es-tu|vous êtes|êtes-vous) sûr\\p{L}*|vraiment|regarde (mieux|encore)|revérifie",
  es: 'seguro|segura|no (creo|me cuadra)|certeza',
  pt: 'seguro|segura|certeza|não acho',
  it: 'sicuro|davvero|ricontrolla|non credo',
  nl: 'zeker|echt',
  pl: 'na pewno|serio|nie sądzę',
  ru: 'уверен\\p{L}*|точно|не (думаю|верю)',
  uk: 'точно|впевнен\\p{L}*',
  tr: 'emin misin\\p{L}*|gerçekten',
  zh: '确定|真的|再(?:看|查|确认|检查|测|跑)',
  ja: '本当|もう一度|再確認',
  ko: '정말|확실|다시 (?:봐|확인|보|체크)|맞나요|맞아요',
});

/** “Raising the limit should stop it” */
export const advice = createMarker({
  en: [
    'would (\\p{L}+ )?(solve|fix|help|be enough|stop|cover|do)|should|recommend\\p{L}*|suggest\\p{L}*',
    'propose\\p{L}*',
  ],
  de: 'wäre\\p{L}*|würde\\p{L}*|sollte\\p{L}*|abhilfe|empfehl\\p{L}+',
  fr: 'propose\\p{L}*|devrait|suffirait|pourrait|il faut|conseill\\p{L}*|recommand\\p{L}*',
  es: 'debería|bastaría|convendría|habría que|hay que|recomiendo|propongo|resolvería',
  pt: 'resolveria|bastaria|deveria|convém|sugiro|recomendo|proponho',
  it: 'propongo|basterebbe|dovrebbe|conviene|bisogna|consiglio',
  nl: 'zou\\p{L}*',
  pl: 'wystarczy|należy|trzeba|powinn\\p{L}+|proponuj\\p{L}+',
  ru: 'надо|нужно|стоит|следует|достаточно|поможет|предлагаю',
  uk: 'треба|потрібно|варто|пропоную',
  tr: 'gerekiyor|gerek|yeterli|öner\\p{L}+',
  zh: '建议|应该|就可以|就行|即可|只要|改成',
  ja: '提案|べき',
  ko: '추천|제안|하면 됩니다|해야|면 됩니다',
});

const AGREEING: Phrases = {
  en: "right|indeed|true|good (?:point|catch)|you(?:'|’)?re right|you are right",
  de: 'stimmt|tatsächlich|in der tat',
  fr: 'en effet|effectivement|bien vu|(?:vous avez|tu as) raison',
  es: 'cierto|efectivamente|tienes razón',
  pt: 'verdade|de fato|tem razão',
  it: 'vero|hai ragione|in effetti',
  nl: 'klopt|inderdaad|je hebt gelijk',
  pl: 'racja|faktycznie|rzeczywiście|masz rację',
  ru: 'верно|действительно|вы прав\\p{L}*|ты прав\\p{L}*',
  uk: 'ви прав\\p{L}*|справді|дійсно|маєш рацію',
  tr: 'haklısın\\p{L}*|gerçekten',
  zh: '确实|没错|的确|你说得对',
  ja: 'その通り|確かに|確認(?:し|でき)ました|ご指摘',
  ko: '맞습니다|그렇네요|맞네요',
};

const INTERJECTIONS: Phrases = {
  en: 'ah|oh|hm+|ok(?:ay)?|yes',
  de: 'ah|oh|ok(?:ay)?|ja',
  fr: 'ah|oh|oui',
  es: 'sí|si',
  pt: 'sim',
  it: 'si',
  pl: 'tak',
  ru: 'да',
  uk: 'так',
  zh: '是的?',
  ja: 'はい',
  ko: '네',
};

/** “Right, …”, “Stimmt, …”: with what an agent begins that was told better. */
export const agrees = new RegExp(
  `^(?:(?:${anyOf(INTERJECTIONS)})[,.!、，。]?\\s+)?(?:${anyOf(AGREEING)})(?![\\p{Ll}])`,
  'iu',
);
