import { cue } from './cue.ts';
import { stripMarkup } from './plain.ts';

/** What a heading or the words before a colon say about the sentences under them. */
export type LabelRole = 'next' | 'note' | 'gotcha' | 'decision' | 'cause' | 'cure' | 'check';

const roles: [LabelRole, RegExp][] = [
  [
    'next',
    cue(
      "next( steps?)?|(what's |what is |still )?left(?! (out|alone|as|in|un\\p{L}+))( to do)?|remaining|remains|to[- ]?do|todos?|follow[- ]?ups?|(two |three |both |the )?(ways|options|possibilities)( are open| open| forward)?|open (questions?|points?|issues?|ends?|tasks?)|still open|pending( tasks?)?|not (yet )?done|offen(e \\p{L}+)?|nächste schritte|noch zu tun|ausstehend|prochaines? étapes?|reste à faire|à faire|próximos pasos|pendientes?|queda|próximos passos|pendências|falta|prossimi passi|da fare|volgende stappen|następne kroki|дальше|осталось|следующ\\p{L}+ шаг\\p{L}*|что осталось|не сделано",
      '次のステップ|残り|残作業|今後|未対応|下一步|后续|待办|剩余|遗留|다음 (?:단계|작업)|남은|할 일|미해결',
    ),
  ],
  [
    'decision',
    cue(
      'decisions?|design (choices?|decisions?|notes?)|choices?|trade-?offs?|alternatives?( considered)?|approach|rationale|left (out|alone|as|in|un\\p{L}+)|(not changed|kept|skipped) on purpose|on purpose|deliberately|intentionally|why (not|a|an|this|i|we|the|[\\p{L}\\p{N}_.-]+ (and not|instead|rather|over))|entscheidung(en)?|décisions?|choix|decisi[oó]n(es)?|decis(ão|ões)|escolhas?|решени[ея]|beslissing(en)?|decyzj[ae]',
      '決定|判断|設計|选择|决定|设计|取舍|결정|선택|설계',
    ),
  ],
  [
    'gotcha',
    cue(
      'gotchas?|traps?|pitfalls?|surprises?|stumbling blocks?|snags?|bugs? (i|we) \\p{L}+|(unrelated|another|second|existing|pre-?existing|hidden|old) (bugs?|faults?|defects?)|drive-?by( fix(es)?)?|along the way|errors? (met|on the way|and fixes)|problems? (on the way|i (met|hit))|stolperstein\\p{L}*|falle|fallstrick\\p{L}*|pièges?|trampas?|tropiezo|armadilhas?|подводн\\p{L}+|грабли|pułapk[ai]',
      '落とし穴|ハマ|はまり|陷阱|踩坑|坑|함정|삽질',
    ),
  ],
  [
    'note',
    cue(
      'notes?|caveats?|heads[- ]?up|warnings?|limitations?|side effects?|worth (knowing|noting|a look|mentioning)|careful|beware|things? to know|be aware|known issues?|not covered( by tests)?|hinweise?|achtung|vorsicht|anmerkung(en)?|wichtig|remarques?|attention|limites?|nota|notas|ojo|aviso|atenção|observaç(ão|ões)|cuidado|attenzione|let op|uwaga|важно|внимание|примечани[ея]|на что обратить внимание|замечани[ея]',
      '注意(?:点)?|補足|備考|備忘|说明|备注|提醒|참고|주의|유의',
    ),
  ],
  [
    'cause',
    cue(
      '(root )?causes?|why( it \\p{L}+)?|reasons?|problems?|what (was|went|is|goes) wrong|diagnos(is|e)|issues?|symptoms?|background|what (was )?happen(s|ed|ing)|findings?|what i found|explanation|how it works|ursachen?|grund|befund|erklärung|problème|cause|explication|causas?|motivo|problema|explicación|explicação|diagnóstico|oorzaak|przyczyn[ay]|причин[аы]|проблем[аы]|диагноз|в чём дело|что не так',
      '原因|問題|背景|調査結果|说明|问题|分析|원인|문제|배경|분석',
    ),
  ],
  [
    'check',
    cue(
      'tests?|testing|verification|verified|checks?|checked|proof|how i (tested|checked|verified)|überprüfung|geprüft|vérifications?|pruebas|verificación|verificação|testes|проверк[аи]|тесты',
      '検証|テスト|確認|验证|测试|검증|테스트|확인',
    ),
  ],
  [
    'cure',
    cue(
      "(the )?fix(es)?|cures?|solutions?|remedy|workaround|what (i|we) (did|changed|added)|what('s| is) (new|done)|what changed|changes?( made)?|implementation|implemented|done|results?|summary|overview|outcome|lösung|behebung|korrektur|änderung(en)?|umsetzung|ergebnis|zusammenfassung|correctif|correction|changements?|résultat|résumé|solución|arreglo|cambios?|resultado|resumen|solução|correç(ão|ões)|mudanças?|o que mudou|feito|resumo|geändert|erledigt|gemacht|soluzione|modifiche|oplossing|wijzigingen|rozwiązanie|zmiany|исправлени[ея]|изменени[ея]|что сделано|сделано|готово|итог",
      '修正(?:内容)?|対応|変更(?:点|内容)?|対策|結果|解决|修复|修改|结果|改动|做了什么|수정|변경|해결|조치|결과|작업 내용',
    ),
  ],
];

export function roleOfLabel(label: string): LabelRole | undefined {
  const words = label.trim();
  if (words === '') return undefined;
  return roles.find(([, pattern]) => (pattern.exec(words)?.index ?? words.length) <= leadIn(words))?.[0];
}

/** Where what a label is about begins at the latest: after an article and an adjective. */
function leadIn(words: string): number {
  const spaces = [...words.matchAll(/\s+/g)];
  return spaces.length <= 2 ? words.length - 1 : (spaces[1]?.index ?? 0) + 1;
}

const boldLabel =
  /^\s*(?:\*\*|__)([^*_\n]{1,60}?)(?:[:：.]\s*(?:\*\*|__)|(?:\*\*|__)\s*(?:[:：]|[–—-]\s))\s*(.*)$/su;
const plainLabel = /^\s*([\p{L}][\p{L}\p{N}' -]{0,28}?)\s*[:：](?!\/\/|:)\s*(\S.*)$/su;

/** A label at the beginning of a paragraph, such as `**Cause:**`. One that only names its topic stays in the text. */
export function splitLabel(markdown: string): { label: string; rest: string } {
  const [, label, rest] = boldLabel.exec(markdown) ?? shortLabel(markdown) ?? [];
  if (label === undefined || rest === undefined) return { label: '', rest: markdown };
  const words = stripMarkup(label).toLowerCase();
  const saysRoleOnly =
    roleOfLabel(words) !== undefined && words.split(/\s+/).length <= 6 && rest.trim() !== '';
  return saysRoleOnly ? { label: words, rest } : { label: '', rest: markdown };
}

function shortLabel(markdown: string): RegExpExecArray | undefined {
  const found = plainLabel.exec(markdown);
  return found && roleOfLabel(found[1] ?? '') !== undefined ? found : undefined;
}

/** Whether a line by itself is a heading for what follows: “What's left:”. */
export function isLabelLine(line: string): boolean {
  if (line.length > 120) return false;
  const words = stripMarkup(line);
  return (
    /[:：]$/.test(words) && words.length <= 60 && words.split(/\s+/).length <= 8 && !/[.!?]\s/.test(words)
  );
}
