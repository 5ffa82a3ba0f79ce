import { createMarker } from './marker.ts';
import { anyOf, type Phrases } from './phrases.ts';

export const condition = createMarker({
  en: 'if|unless|when(ever)?|as (soon|long) as|once|otherwise|until|depends?',
  de: 'wenn|falls|sobald|sofern|solange|sonst|bis',
  fr: "si|quand|lorsqu(e|')|dès qu(e|')|sinon|tant qu(e|')",
  es: 'si|cuando|a menos|salvo que|mientras|hasta|caso',
  pt: 'a menos|se|quando|caso|enquanto|até',
  it: 'se|quando|caso|finché|altrimenti',
  nl: 'als|wanneer|zodra|tenzij|tot',
  sv: 'när|ifall|såvida',
  da: 'når|hvis',
  no: 'når|hvis',
  pl: 'jeśli|jeżeli|gdy|kiedy|dopóki|inaczej',
  cs: 'pokud|když|jestli\\p{L}*|dokud',
  ru: 'если|когда|пока|иначе|при',
  uk: 'якщо|коли|поки|інакше|при',
  tr: 'eğer|olursa|kadar',
  ar: 'إذا|وإذا|فإذا|لو|عندما|طالما|ما لم|إن لم',
  fa: 'اگر|وقتی|تا وقتی',
  he: 'אם|כאשר|עד ש\\p{L}*',
  hi: 'अगर|यदि|जब|जब तक',
  vi: 'nếu|khi|trừ khi',
  id: 'jika|kalau|ketika|selama',
  zh: '如果|当|除非|否则|一旦|只要|的话|之前|之后|时(?=[，,])',
  ja: '場合|とき|時に|時は|なら|れば|たら|限り|まで|ないと|経つと',
  ko: '경우|(?:으|하|되|이)?면|때(?=[는 ,])|않으면|까지|동안',
});

const SUBORDINATE: Phrases = {
  en: 'so|whether|that|which|who|where|when|if|unless',
  de: 'so|ob|dass',
  fr: 'que|qui|si',
  es: 'que|si|se',
  pt: 'que|se',
  it: 'se',
  nl: 'dat|of',
  ru: 'чтобы|что|если|когда|котор\\p{L}+',
};

/** A clause that begins with one of these belongs to the one before it. */
export const subordinate = new RegExp(`^(?:${anyOf(SUBORDINATE)})(?![\\p{L}])`, 'iu');
