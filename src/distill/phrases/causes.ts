import { createMarker } from './marker.ts';

/** “The delay comes from …”, “liegt an …”: says where something has its cause without the word. */
export const comesFrom = createMarker({
  en: [
    'the (problem|issue|trouble|bug|error|fault) (is|was|lies)',
    '(comes?|came|stems?|originates?|results?) from|due to|caused by|causes?|explains?|culprit',
  ],
  de: [
    'das problem (ist|liegt|war)|liegt( \\p{L}+){0,2} (an|am|daran)|lag( \\p{L}+){0,2} (an|am|daran)',
    'kommt( \\p{L}+){0,3} (von|vom|aus)|dadurch',
  ],
  fr: [
    'le problème (est|vient|était)|vient( \\p{L}+)? (de|du|des)|venait( \\p{L}+)? (de|du|des)|à cause d\\S*',
  ],
  es: 'el problema (es|está|era)|viene( \\p{L}+)? (de|del)|se debe a|provoca|causad[oa]',
  pt: 'o problema (é|está|era)|provoca|vêm?( \\p{L}+)? d[eoa]s?|causad[oa]',
  it: 'il problema (è|sta|era)|viene( \\p{L}+)? (da|dal\\p{L}*)|provoca|dipende d\\p{L}+|causat[oa]',
  nl: 'het probleem (is|zit|was)|komt( \\p{L}+)? (door|uit|van)|ligt aan|veroorzaakt',
  pl: 'problem (jest|leży|tkwi)|wynika z|powoduje|spowodowan\\p{L}*',
  ru: 'проблема (в|была|у)|из-за|вызва\\p{L}+|происходит',
  uk: 'проблема (в|была|у)|через|спричин\\p{L}+',
  tr: 'yüzünden|nedeniyle|kaynaklan\\p{L}*',
  zh: '问题(?:是|在|出)|导致|来自|出在|引起|造成',
  ja: '問題は|が原因|によって',
  ko: '문제는|바람에|로 인해',
});

/** In Spanish, Portuguese and Italian. */
const CAUSE_IS_YET = 'causa (es |está |é |è )?(aún |todavía |ainda |ancora )?';

export const causeUnknown = createMarker({
  en: [
    '(cause|reason)( is| was)? (still |as yet )?(unknown|unclear|not (yet )?(known|clear|found))',
    "(don'?t|do not) (yet )?know (why|the (cause|reason)|what causes)|(not sure|no idea|unclear) why",
  ],
  de: [
    'ursache (ist )?(noch )?(unklar|unbekannt|offen)|(weiß|wissen)( \\p{L}+)? nicht,? (warum|woran|wieso)',
    'unklar,? (warum|woran|wieso)',
  ],
  fr: [
    '(cause|raison) (est )?(encore )?(inconnue|pas (encore )?(trouvée|connue|claire))',
    'sai[st] pas (encore )?pourquoi',
  ],
  es: `${CAUSE_IS_YET}(desconocida|ignota|poco clara)|no (sé|sabemos) (aún |todavía )?por qué`,
  pt: [
    `${CAUSE_IS_YET}(desconhecida|ignota|poco clara)`,
    'não (sei|sabemos|se sabe) (ainda )?(por ?qu[eê]|a causa)',
  ],
  it: `${CAUSE_IS_YET}(sconosciuta|ignota|poco clara)|non (so|sappiamo) (ancora )?(perché|la causa)`,
  nl: 'oorzaak (is )?(nog )?(onbekend|onduidelijk)|weet (nog )?niet waarom',
  pl: 'przyczyna (jest )?(jeszcze )?(nieznana|niejasna)|nie wiem (jeszcze )?dlaczego',
  ru: 'причина (пока )?(неизвестна|неясна|не ясна)|не (знаю|понятно|ясно),? почему',
  tr: '(nedeni|sebebi) (henüz )?(belli değil|bilinmiyor)',
  zh: '原因(?:还|尚|仍|暂)?(?:不明|不清楚|未知|没找到|没查到)|不(?:清楚|知道)(?:是)?(?:什么)?原因',
  ja: '原因(?:は|が)?(?:まだ|未だ)?(?:不明|分か(?:りま|ら|って)|わか(?:りま|ら|って)|特定できて)',
  ko: '원인(?:은|이|을)? ?(?:아직 )?(?:모르|모릅|불명|알 수 없|파악(?:되지|하지))',
});

/** The article and the verb in Spanish, Portuguese and Italian. */
const THE = '(la|a|o|il|el)';
const WAS = '(es|era|fue|é|foi|è|stava)';

export const causeFound = createMarker({
  en: '(the|root|actual|real) (cause|reason|culprit) (is|was|turned out)|(turned out|it was) because',
  de: 'ursache (ist|war)|lag (es )?(daran|am|an)',
  fr: '(la|le) (cause|coupable) (est|était)|ven(ait|ai[st]) de',
  es: `${THE} (causa|culpad[oa]|culpable|motivo) ${WAS}`,
  pt: `${THE} (causa|culpad[oa]|motivo) ${WAS}`,
  it: `${THE} (causa|motivo|colpevole) ${WAS}`,
  nl: 'oorzaak (is|was)',
  pl: 'przyczyną (jest|był\\p{L}*)',
  ru: 'причин(а|ой|ою) (была|был|оказал\\p{L}+|в)',
  uk: 'причин(а|ой|ою) (была|был|оказал\\p{L}+|в)',
  tr: '(nedeni|sebebi) \\p{L}+',
  zh: '原因(?:是|在于|就是|出在)',
  ja: '原因は.{0,120}(?:でした|です|だった|ました)',
  ko: '원인은|원인이.{0,80}(?:였|이었|입니다)',
});
