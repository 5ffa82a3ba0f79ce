import { createMarker } from './marker.ts';

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
