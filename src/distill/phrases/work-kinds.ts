import { createPattern } from './pattern.ts';

export const fault = createPattern({
  en: 'bugs?|root cause|culprit|wrong(ly)?|mistake|broke|broken|off by one|regression|crash(ed|es)?|fixed',
  de: 'fehler\\p{L}*|behoben|falsch|kaputt',
  fr: 'bogue|corrigé|erreur|cassé',
  es: 'corregid[oa]|fallo|falla(ba)?',
  pt: 'corrigid[oa]|falha|erro',
  ru: 'ошибк\\p{L}*|исправ\\p{L}*|баг\\p{L}*|слома\\p{L}*',
  zh: '修复|错误|缺陷',
  ja: '修正|バグ|不具合',
  ko: '버그|오류|고쳤|수정',
});

export const moving = createPattern({
  en: 'renam(ed|es)|extract(ed|s)|moved|split (up|into)|refactor(ed|s)?|inlined|deduplicated|consolidated',
  de: 'umbenannt|ausgelagert|aufgeteilt|verschoben',
  fr: 'renommé|extrait|déplacé',
  es: 'renombrad[oa]|extraíd[oa]|movid[oa]',
  pt: 'extraíd[oa]|movid[oa]|renomead[oa]',
  ru: 'перен[её]с\\p{L}*|вын[её]с\\p{L}*|раздел\\p{L}*|переимен\\p{L}*',
  zh: '重构|拆分|重命名|抽成',
  ja: 'リファクタ|分割し|移動し|切り出',
  ko: '리팩터|분리|이동|추출',
});
