import { createMarker } from './marker.ts';

/** What was made, changed or set; the calls show it. */
export const deed = createMarker({
  en: [
    'fix(ed|es)?|add(ed|s)|now|no longer|replac(ed|es)|chang(ed|es)|remov(ed|es)|renam(ed|es)|mov(ed|es)',
    'extract(ed|s)|split|implement(ed|s)|creat(ed|es)|updat(ed|es)|introduc(ed|es)|wrote|rewrote|made',
    'switched|bumped|upgraded|pinned|set|configured|deleted|dropped|converted|migrated|refactored',
    'rolled (it )?back|reverted|resolved|enabled|disabled|wired|documented',
  ],
  de: [
    'nicht mehr|behoben|hinzugefügt|ergänzt|geändert|ersetzt|entfernt|umbenannt|verschoben|jetzt|nun',
    'korrigiert|angelegt|eingebaut|umgestellt',
  ],
  fr: [
    'corrigé\\p{L}*|ajouté\\p{L}*|remplacé\\p{L}*|supprimé\\p{L}*|renommé\\p{L}*|modifié\\p{L}*|créé\\p{L}*',
    'maintenant|désormais',
  ],
  es: [
    'corregid[oa]|añadid[oa]|agregad[oa]|reemplazad[oa]|eliminad[oa]|movid[oa]|cread[oa]|ahora',
    'he (añadido|cambiado|movido|creado|quitado)',
  ],
  pt: [
    'movid[oa]|corrigid[oa]|adicionad[oa]|adicionei|substituíd[oa]|removid[oa]|removi|criad[oa]|criei|agora',
    'mudei',
  ],
  sv: 'la till|lade till|ändrade',
  da: 'tilføjede|rettet',
  no: 'la til|fikset|rettet',
  cs: 'nyní|přidal\\p{L}*|změnil\\p{L}*|opravil\\p{L}*',
  ru: [
    'исправ\\p{L}+|добав\\p{L}+|замен\\p{L}+|удал\\p{L}+|переименова\\p{L}+|перен[её]с\\p{L}*|обнов\\p{L}+',
    'теперь|создал\\p{L}*|сделал\\p{L}*|поправил\\p{L}*',
  ],
  uk: 'тепер|додав|додано|змінив|виправ\\p{L}+',
  ar: 'الآن|أضفت|أضفنا|حذفت|غيّرت|غيرت|أصلحت',
  fa: 'اکنون|حالا|اضافه کرد\\p{L}*',
  he: 'תיקנתי|הוספתי|שיניתי|עכשיו',
  hi: 'अब(?! भी)|जोड़ा|हटाया|बदला|कर दिया',
  vi: 'đã (thêm|sửa|đổi|xóa)|bây giờ',
  id: 'sekarang|menambahkan|mengubah|menghapus',
  zh: '修复|添加|新增|修改|替换|删除|现在|改为|改成|加了|加上|换成|拆成|抽(?:成|到)',
  ja: '修正し|追加し|変更し|置き換え|削除し|対応し|ように(?:し|なり)|直し|実装し|切り替え|移し|更新し',
  ko: '수정(?:했|하|되)|추가(?:했|하|되)|변경(?:했|하|되)|교체|삭제|바꿨|바꾸|구현(?:했|하)|이제|옮겼',
});

/** What is left to do. */
export const open = createMarker({
  en: [
    'left over|open for|next steps?|next(?= ?:)|remaining|left to do',
    'still (not|needs?|to do|to be|open|missing|fails?|failing|red|has to|have to|uses?|unfinished|running)',
    "not (yet|\\p{L}+ yet)|to-?do|follow[- ]?up|remains to|haven't|have not",
    'before (merging|deploying|releasing|the release|we release|going live)',
    'needs? to be (done|added|updated|run|migrated|deployed|re\\p{L}+(ed|un|built))',
    'in a (later|separate|follow)|unfinished|open question',
  ],
  de: [
    'noch (nicht|offen|zu|ausstehend)|fehlt noch|als nächstes|steh(t|en)( noch)? aus|offen (ist|bleibt|sind)',
  ],
  fr: 'il reste|reste à|il faudra|prochaine étape|à faire|pas encore',
  es: 'falta\\p{L}*|queda(n)? (pendiente|por)|pendientes?|próximo paso|todavía no|aún no',
  pt: 'falta\\p{L}*|ainda não|falta(m)?|pendente|próximo passo|resta',
  it: 'resta|ancora da|manca',
  nl: 'nog niet',
  sv: 'återstår|kvarstår|ännu inte',
  da: 'mangler|endnu ikke',
  no: 'mangler|ennå',
  pl: 'jeszcze nie',
  cs: 'zbývá|ještě ne',
  ru: 'осталось|ещё не|пока не|следующий шаг|предстоит|нужно будет',
  uk: 'залишилось|залишається|ще не',
  tr: 'henüz',
  ar: 'متبقي|يبقى|لم يتم بعد|ما زال|لا يزال',
  fa: 'مانده|هنوز',
  he: 'נותר|עדיין',
  hi: 'बाक़ी|बाकी|अभी भी|अभी तक',
  vi: 'còn lại|vẫn còn|chưa',
  id: 'masih|tersisa|belum',
  zh: '下一步|还需要|尚未|还没|没(?:有)?(?:在.{1,6})?验证|待办|剩下|后续|遗留',
  ja: '残って|残り|まだ|未対応|未着手|次は|今後',
  ko: '아직|나가기 전에|배포 전에|출시 전에|남아|남은|추후|다음 단계|미해결',
});

/** Phrases that say that something is as it was before the work. */
export const asBefore = createMarker({
  en: [
    'untouched|unchanged|not (yet )?(touched|changed|migrated|converted|moved|ported|updated|switched)',
    'still (uses?|has|have|on|the old|old|needs?)',
  ],
  de: 'unverändert|unangetastet|noch (nicht|alt|auf)',
  fr: 'inchangée?s?|intacte?s?|pas encore',
  es: 'sin cambios|intact[oa]s?|todavía|aún no',
  pt: 'intact[oa]s?|sem alterações|ainda',
  it: 'invariat[oa]|ancora',
  nl: 'ongewijzigd|nog niet',
  pl: 'bez zmian|jeszcze nie|nietknięt\\p{L}+',
  ru: 'без изменений|не тронут\\p{L}*|ещё не|еще не',
  uk: 'без змін|ще не',
  tr: 'henüz|değişmedi',
  zh: '没(?:有)?(?:动|改)|未(?:动|改|变)|还是(?:旧|老)|保持不变',
  ja: 'まだ|そのまま|変更していません|変えていません',
  ko: '아직|그대로|건드리지',
});

/** What is no longer there. */
export const removal = createMarker({
  en: [
    'is (gone|out)|are (gone|out)|(was|were|is|are|been) (removed|dropped|deleted|taken out)',
    'i (removed|dropped|deleted|took out)|no longer (exists?|there|used)',
  ],
  de: '(ist|sind|wurden?) (weg|raus|entfernt|gelöscht)|gibt es nicht mehr|habe ich (entfernt|gelöscht)',
  fr: "(est|sont|a été|ont été) (supprimé|retiré|enlevé)\\p{L}*|n'existe plus",
  es: '(eliminé|quité|quitado|eliminado)|ya no (existe|está)',
  pt: '(removi|removido|tirei|apaguei)|não existe mais',
  it: "(rimosso|tolto|eliminato)|non (c'è|esiste) più",
  nl: '(is|zijn) (weg|verwijderd)|bestaat niet meer',
  pl: '(usunąłem|usunięto|usunięty|wyleciał)|już nie (ma|istnieje)',
  ru: '(удалён|удалил|убрал|убран)\\p{L}*|больше нет',
  uk: '(видалено|видалив|прибрав|прибрано)|більше немає',
  tr: '(kaldırıldı|kaldırdım|silindi)|artık yok',
  zh: '去掉|删(?:除|掉|了)|移除|不再(?:有|用|使用)',
  ja: '外し(?:ました|た)|削除し|なくなり',
  ko: '제거(?:했|되)|삭제(?:했|되)|뺐',
});

/** Phrases with which a person has work undone: what the answer says about it no longer holds. */
export const undoes = createMarker({
  en: 'undo|revert (the|that|this|your|it)|back (it|that|this) out|roll (it|that|this|the \\p{L}+) back',
  de: 'rückgängig',
  fr: 'annule\\p{L}{0,2}',
  es: 'deshaz|deshac\\p{L}+|revierte',
  pt: 'desfaz|desfaça\\p{L}*|reverte',
  it: 'annulla',
  nl: 'draai (\\p{L}+ ){1,4}terug',
  pl: 'cofnij',
  ru: 'откати\\p{L}*|отмени\\p{L}*',
  tr: 'geri al',
  zh: '撤销|撤回|回滚|还原',
  ja: '元に戻|取り消して',
  ko: '되돌려',
});

/** “no class uses Date any more”, after some of the classes were put back. */
export const countsAll = createMarker({
  en: 'all|every|everything|everywhere|none|nowhere|no \\p{L}+ (uses?|has|have|is|are)',
  de: 'alle|jede\\p{L}*|überall|nirgends|kein\\p{L}*',
  fr: 'tous|toutes|partout|aucune?',
  es: 'todos|todas|ningún|ninguna?',
  pt: 'todos|todas|nenhum\\p{L}*',
  it: 'tutti|tutte|ovunque|nessun\\p{L}*',
  nl: 'alle|overal|geen',
  pl: 'wszystk\\p{L}+|żad\\p{L}+',
  ru: 'все|всё|везде|ни (один|одна|одного)',
  uk: 'все|усі|всі|жод\\p{L}+',
  tr: 'hiçbir|tüm|her',
  zh: '全部|所有|都',
  ja: 'すべて|全て|全ての',
  ko: '모두|모든|전부',
});
