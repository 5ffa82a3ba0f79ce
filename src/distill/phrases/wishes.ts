import { createMarker } from './marker.ts';

export const firstPerson = createMarker({
  en: 'i|we',
  de: 'ich|wir',
  fr: 'je|j|nous',
  es: 'he \\p{L}+(ado|ido|to|cho)|hemos',
  pt: 'eu',
  it: 'io',
  nl: 'ik|wij',
  ru: 'я|мы',
  tr: 'ben|biz',
  zh: '我',
  ja: 'ことにし|ようにし',
  ko: '하기로',
});

/** What the person has to do, which binds no one else. */
export const ownDuty = createMarker({
  en: "i (have to|need to|must|gotta|got to)|i'?ll|i'?m (off|out)",
  de: 'ich (muss|bin)',
  fr: 'je (dois|suis|pars)',
  es: 'tengo que',
  pt: 'preciso (sair|ir)|tenho que',
  it: 'devo (andare|uscire)',
  nl: 'ik moet',
  pl: 'muszę',
  ru: 'мне (надо|нужно|пора)|я (пошёл|пошла|ушёл)',
  tr: 'gitmem gerek',
  zh: '我(?:得|要)(?:走|去)',
  ja: '私は.{0,8}(?:ます|行)',
  ko: '저는 이만|나가봐야',
});

/** A wish for this once. */
export const asksFor = createMarker({
  en: 'please|pls|plz|can you|could you|you can|have a look|take a look',
  de: 'kannst|bitte|kannst du|könntest du|schau mal',
  fr: "s'il (te|vous) plaît|stp|svp|peux-tu|tu peux",
  es: 'por favor|porfa|puedes|podrías',
  pt: 'por favor|você pode|dá pra',
  ru: 'пожалуйста|плиз|можешь|глянь|посмотри',
  tr: 'lütfen',
  zh: '请|麻烦|帮我|帮忙',
  ja: 'お願い|ください|くれますか|てほしい',
  ko: '주세요|해 ?줘|부탁',
});
