import { createPattern } from './pattern.ts';

export const nextLabel = createPattern({
  en: [
    "next( steps?)?|(what's |what is |still )?left(?! (out|alone|as|in|un\\p{L}+))( to do)?|remaining",
    'remains|to[- ]?do|todos?|follow[- ]?ups?',
    '(two |three |both |the )?(ways|options|possibilities)( are open| open| forward)?',
    'open (questions?|points?|issues?|ends?|tasks?)|still open|pending( tasks?)?|not (yet )?done',
  ],
  de: 'offen(e \\p{L}+)?|nächste schritte|noch zu tun|ausstehend',
  fr: 'prochaines? étapes?|reste à faire|à faire',
  es: 'próximos pasos|pendientes?|queda|falta',
  pt: 'próximos passos|pendências|falta',
  it: 'prossimi passi|da fare',
  nl: 'volgende stappen',
  pl: 'następne kroki',
  ru: 'дальше|осталось|следующ\\p{L}+ шаг\\p{L}*|что осталось|не сделано',
  zh: '下一步|后续|待办|剩余|遗留',
  ja: '次のステップ|残り|残作業|今後|未対応',
  ko: '다음 (?:단계|작업)|남은|할 일|미해결',
});

export const decisionLabel = createPattern({
  en: [
    'decisions?|design (choices?|decisions?|notes?)|choices?|trade-?offs?|alternatives?( considered)?',
    'approach|rationale|left (out|alone|as|in|un\\p{L}+)|(not changed|kept|skipped) on purpose|on purpose',
    'deliberately|intentionally',
    'why (not|a|an|this|i|we|the|[\\p{L}\\p{N}_.-]+ (and not|instead|rather|over))',
  ],
  de: 'entscheidung(en)?',
  fr: 'décisions?|choix',
  es: 'decisi[oó]n(es)?',
  pt: 'decis(ão|ões)|escolhas?',
  nl: 'beslissing(en)?',
  pl: 'decyzj[ae]',
  ru: 'решени[ея]',
  zh: '判断|选择|决定|设计|取舍',
  ja: '決定|判断|設計',
  ko: '결정|선택|설계',
});

export const gotchaLabel = createPattern({
  en: [
    'gotchas?|traps?|pitfalls?|surprises?|stumbling blocks?|snags?|bugs? (i|we) \\p{L}+',
    '(unrelated|another|second|existing|pre-?existing|hidden|old) (bugs?|faults?|defects?)',
    'drive-?by( fix(es)?)?|along the way|errors? (met|on the way|and fixes)',
    'problems? (on the way|i (met|hit))',
  ],
  de: 'stolperstein\\p{L}*|falle|fallstrick\\p{L}*',
  fr: 'surprises?|pièges?',
  es: 'trampas?|tropiezo',
  pt: 'armadilhas?',
  pl: 'pułapk[ai]',
  ru: 'подводн\\p{L}+|грабли',
  zh: '陷阱|踩坑|坑',
  ja: '落とし穴|ハマ|はまり',
  ko: '함정|삽질',
});

export const noteLabel = createPattern({
  en: [
    'notes?|caveats?|heads[- ]?up|warnings?|limitations?|side effects?',
    'worth (knowing|noting|a look|mentioning)|careful|beware|things? to know|be aware|known issues?',
    'not covered( by tests)?',
  ],
  de: 'hinweise?|achtung|vorsicht|anmerkung(en)?|wichtig',
  fr: 'notes?|remarques?|attention|limites?',
  es: 'nota|notas|ojo|aviso|cuidado',
  pt: 'limites?|nota|notas|aviso|atenção|observaç(ão|ões)|cuidado',
  it: 'nota|attenzione',
  nl: 'let op',
  pl: 'uwaga',
  ru: 'важно|внимание|примечани[ея]|на что обратить внимание|замечани[ея]',
  zh: '注意(?:点)?|说明|备注|提醒',
  ja: '注意(?:点)?|補足|備考|備忘',
  ko: '참고|주의|유의',
});

export const causeLabel = createPattern({
  en: [
    '(root )?causes?|why( it \\p{L}+)?|reasons?|problems?|what (was|went|is|goes) wrong|diagnos(is|e)',
    'issues?|symptoms?|background|what (was )?happen(s|ed|ing)|findings?|what i found|explanation',
    'how it works',
  ],
  de: 'ursachen?|grund|befund|erklärung',
  fr: 'problème|cause|explication',
  es: 'causas?|motivo|problema|explicación|diagnóstico',
  pt: 'causas?|motivo|problema|explicação|diagnóstico',
  it: 'motivo|problema',
  nl: 'oorzaak',
  pl: 'przyczyn[ay]',
  ru: 'причин[аы]|проблем[аы]|диагноз|в чём дело|что не так',
  zh: '原因|背景|说明|问题|分析',
  ja: '原因|問題|背景|調査結果|分析',
  ko: '원인|문제|배경|분석',
});

export const checkLabel = createPattern({
  en: 'tests?|testing|verification|verified|checks?|checked|proof|how i (tested|checked|verified)',
  de: 'überprüfung|geprüft',
  fr: 'vérifications?',
  es: 'pruebas|verificación',
  pt: 'verificação|testes',
  ru: 'проверк[аи]|тесты',
  zh: '验证|测试',
  ja: '検証|テスト|確認',
  ko: '검증|테스트|확인',
});

export const cureLabel = createPattern({
  en: [
    '(the )?fix(es)?|cures?|solutions?|remedy|workaround|what (i|we) (did|changed|added)',
    "what('s| is) (new|done)|what changed|changes?( made)?|implementation|implemented|done|results?|summary",
    'overview|outcome',
  ],
  de: 'lösung|behebung|korrektur|änderung(en)?|umsetzung|ergebnis|zusammenfassung|geändert|erledigt|gemacht',
  fr: 'solutions?|correctif|correction|changements?|résultat|résumé',
  es: 'solución|arreglo|cambios?|resultado|resumen',
  pt: 'resultado|solução|correç(ão|ões)|mudanças?|o que mudou|feito|resumo',
  it: 'soluzione|modifiche',
  nl: 'oplossing|wijzigingen',
  pl: 'rozwiązanie|zmiany',
  ru: 'исправлени[ея]|изменени[ея]|что сделано|сделано|готово|итог',
  zh: '解决|修复|修改|结果|改动|做了什么',
  ja: '修正(?:内容)?|対応|変更(?:点|内容)?|対策|結果',
  ko: '수정|변경|해결|조치|결과|작업 내용',
});
