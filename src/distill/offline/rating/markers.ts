import { createMarker } from './marker.ts';
import { MORE_LANGUAGES } from './more-languages.ts';

/**
 * The small words by which a sentence gives a reason, a condition, a rule or a guess. They are closed classes, so a list
 * per language covers them; what a sentence is about is never in these lists. English, German, French, Spanish,
 * Portuguese, Italian, Dutch, Polish, Russian, Turkish; then Chinese, Japanese and Korean. More are in more-languages.ts.
 */
export const MARKERS = {
  /** Why something is so, or what follows from it. */
  cause: createMarker(
    "because|since(?= (the|it|this|that|we|no|every|each|both|there|any)(?!\\p{L}))|due to|caused?( by)?|causes|root cause|culprit|therefore|hence|thus|that is why|that's why|which is why|the reason|turn(s|ed) out|so that|so(?= (the|it|that|each|every|no|only|they|a|an|two|all|any|both|its|we|one|there|nothing|whoever|anything|anyone|pods|jobs|requests|callers|users)(?!\\p{L}))|as a result|results? in|leads? to|led to|comes? from|came from|which (means|makes|made|broke|causes)|meaning|weil|denn|da(?= (die|der|das|es|wir|sie|so|beim|in)(?!\\p{L}))|deshalb|daher|deswegen|dadurch|sodass|so dass|wegen|aufgrund|ursache|grund|liegt an|lag an|lag daran|kommt (von|daher)|damit|parce qu(e|')|car|à cause|donc|puisque?|c'est pourquoi|la raison|vient d(e|u)|du coup|ainsi|alors que|porque|ya que|debido|por eso|por lo que|así que|la causa|culpa|puesto que|de ahí|entonces|por (lo )?tanto|pois|por isso|portanto|então|já que|por causa|a causa|devido|motivo|perché|poiché|quindi|perciò|dovuto|omdat|want|dus|daarom|doordat|oorzaak|zodat|ponieważ|dlatego|bo|przez to|przyczyna|więc|zatem|потому( что)?|поскольку|из-за|поэтому|так как|причин\\p{L}+|ведь|значит|чтобы|çünkü|nedeniyle|bu yüzden|sebebi" +
      `|${MORE_LANGUAGES.cause}`,
    '因为|由于|所以|因此|导致|原因|结果是|以免|(?<!念の)ため(?!に)|ので|せいで|によって|なぜなら|理由|つまり|からです|때문|므로|원인|이유|그래서|따라서|니까',
  ),
  /** The conjunctions among them: with one of these a sentence gives its own reason. */
  reason: createMarker(
    "because|since(?= (the|it|this|that|we|no|every|each|both|there)(?!\\p{L}))|so that|so(?= (the|it|that|we|they|i|no)(?!\\p{L}))|otherwise|weil|denn|da(?= (die|der|das|es|wir|sie)(?!\\p{L}))|sonst|damit|sodass|parce qu(e|')|car|puisqu(e|')|sinon|donc|porque|ya que|así que|si no|pois|já que|senão|perché|poiché|omdat|want|zodat|bo|ponieważ|żeby|потому( что)?|поскольку|так как|иначе|чтобы|çünkü|yoksa" +
      `|${MORE_LANGUAGES.reason}`,
    '因为|由于|所以|否则|以免|ので|から(?=[、。]|$)|ないと|때문|니까|므로|그래서|않으면',
  ),
  /** One thing against another. */
  contrast: createMarker(
    'instead( of)?|rather than|as opposed to|over(?= (a|an|the)(?!\\p{L}))|unlike|not \\S+( \\S+)? but|versus|vs|statt(dessen)?|anstatt|anstelle|sondern|plutôt|au lieu|en (lugar|vez) de|sino|em vez|ao invés|senão|invece|anziché|in plaats van|zamiast|вместо|а не|нежели|yerine' +
      `|${MORE_LANGUAGES.contrast}`,
    '而不是|而非|代替|改用|ではなく|代わりに|よりも|대신|아니라',
  ),
  but: createMarker(
    'but|however|although|though|whereas|except|despite|yet|while|aber|jedoch|allerdings|obwohl|trotz\\p{L}*|außer|mais|cependant|pourtant|malgré|sauf|pero|aunque|sin embargo|salvo|mas|porém|embora|exceto|apesar|ma|però|tranne|maar|echter|hoewel|behalve|ale|jednak|choć|но|однако|хотя|кроме|зато|ama|fakat|ancak|rağmen' +
      `|${MORE_LANGUAGES.but}`,
    '但是?|不过|然而|除了|虽然|しかし|ただし|だが|けれど|ものの|以外|하지만|그러나|지만|제외',
  ),
  /** What has to be, may not be, or is always or never so. */
  obligation: createMarker(
    "must(n't)?|(never|always)(?! (mind|fails?|returns?|works?|happens?|ends?|ended|removed|been|had|was|is|finished|arrives?))|only|should(n't)?|needs? to|have to|has to|had to|do not|don'?t|cannot|can'?t|won'?t|mustnt|shouldnt|may not|not allowed|forbidden|required?|at (most|least)|mandatory|make sure|careful|beware|muss|müssen|mussten?|darf|dürfen|niemals|(?<![ąćęłńśźż].*)nie(?!.*[ąćęłńśźż])|immer|nur|ausschließlich|soll(en|te|ten)?|mindestens|höchstens|verboten|erst|doit|doivent|devons|il faut|jamais|toujours|seulement|uniquement|interdit|obligatoire|au (moins|plus)|ne \\p{L}+ (que|plus)|debe(n|mos)?|hay que|tiene(n)? que|nunca|siempre|solo|sólo|solamente|únicamente|prohibido|al menos|como (máximo|mínimo)|jamás|deve(m|mos)?|tem que|têm que|precisa(m)?|sempre|somente|apenas|só|proibido|pelo menos|no (máximo|mínimo)|devono|(?<!\\d\\.? |en |im )mai|soltanto|almeno|moet(en)?|mag|nooit|altijd|alleen|minstens|musi|muszą|nigdy|zawsze|tylko|nie wolno|trzeba|co najmniej|долж(ен|на|но|ны)|нужно|надо|нельзя|никогда|всегда|только|обязательно|минимум|не более|запрещ\\p{L}+|приходится|следует|gerek\\p{L}*|asla|her zaman|sadece|yalnızca|zorunda" +
      `|${MORE_LANGUAGES.obligation}`,
    '必须|不许|不准|不能|不要|不得|禁止|总是|永远|只能|只有|只在|一定要?|应该|务必|不可|至少|最多|别(?!的)|需要|一律|从不|每次都|必ず|絶対|いけ(?:ない|ません)|ないで|ないこと(?=[。．]?$)|なければ|べき|のみ|だけ|常に|いつも|禁止|以内|以上|毎回|なりません|てはダメ|厳禁|必須|必要|반드시|절대|항상|하지 ?마|말아|말 것|해야|안 됩|안 돼|안 되|금지|최소|최대|매번|무조건|만 (?:사용|허용|가능)|전용|필수',
  ),
  condition: createMarker(
    "if|unless|when(ever)?|as (soon|long) as|once|otherwise|until|depends?|wenn|falls|sobald|sofern|solange|sonst|bis|si|quand|lorsqu(e|')|dès qu(e|')|sinon|tant qu(e|')|cuando|a menos|salvo que|mientras|hasta|se|quando|caso|enquanto|até|a menos|quando|finché|altrimenti|als|wanneer|zodra|tenzij|tot|jeśli|jeżeli|gdy|kiedy|dopóki|inaczej|если|когда|пока|иначе|при|eğer|olursa|kadar" +
      `|${MORE_LANGUAGES.condition}`,
    '如果|当|除非|否则|一旦|只要|的话|之前|之后|时(?=[，,])|場合|とき|時に|時は|なら|れば|たら|限り|まで|ないと|経つと|경우|(?:으|하|되|이)?면|때(?=[는 ,])|않으면|까지|동안',
  ),
  negation: createMarker(
    "not|\\p{L}+n't|dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|no|none|nothing|nobody|no one|without|niemand\\p{L}*|personne ne|nadie|ninguém|nikt|никто|kimse|neither|nor|nicht|kein\\p{L}*|nichts|ohne|weder|ne|n'|pas|aucune?|rien|sans|ni|ningun\\p{L}*|ningún|nada|sin|não|nenhum\\p{L}*|sem|nem|non|nessun\\p{L}*|niente|senza|niet|geen|niets|zonder|nie|bez|żad\\p{L}+|не|нет|ничего|без|ни|никак\\p{L}*|değil|yok|hiç" +
      `|${MORE_LANGUAGES.negation}`,
    '不|没|未|无|非|ない|ません|なし|無|ぬ(?=。)|않|없|못|안 ',
  ),
  /** A guess: what was meant to be so, perhaps. */
  guess: createMarker(
    "hypothes[ie]s|hypothèses?|hypothesen?|hipótes[ei]s?|ipotesi|hipotez\\p{L}*|гипотез\\p{L}*|(makes?|made) me think of|maybe|perhaps|probably|might|could be|i (suspect|guess|think|assume|wonder|believe|bet|expect)|likely|seems?|looks like|presumably|apparently|in theory|theoretically|theoretisch|en théorie|en teoría|em (tese|teoria)|in teoria|теоретически|по идее|my (guess|hunch|first (guess|thought))|should (cover|do|fix|help|be enough|work|be it)|first (guess|suspicion|hypothesis)|if (that's|that is|this is|i'm|i am) right|if so|suspect(ed)?|suspicion|surely|vielleicht|vermutlich|wahrscheinlich|könnte|scheint|ich (vermute|glaube|denke|nehme an)|wohl|verdacht|vermutung|sicherlich|peut-être|sûrement|soupçons?|probablement|sans doute|semble|je (soupçonne|pense|crois)|pourrait|quizás?|tal vez|probablemente|parece|podría|sospecho|sospechas?|seguramente|creo que|puede que|talvez|provavelmente|pode ser|suspeito|suspeitas?|acho que|forse|sospett[oi]|sicuramente|probabilmente|sembra|misschien|waarschijnlijk|lijkt|vermoed\\p{L}*|może|chyba|zapewne|podejrzewam|podejrzeni\\p{L}+|prawdopodobnie|возможно|может быть|наверное|похоже|вероятно|видимо|наверняка|подозреваю|подозрени\\p{L}+|кажется|скорее всего|думаю|belki|muhtemelen|sanırım|herhalde|şüphe\\p{L}*" +
      `|${MORE_LANGUAGES.guess}`,
    '仮説|假说|가설|按理说|照理|理论上|理論上|이론상|可能|也许|大概|似乎|应该是|怀疑|估计|看起来|猜|恐怕|かもしれ|おそらく|恐らく|多分|たぶん|と思われ|と思い|ようです|っぽい|疑(?:い|っ|わ)|でしょう|はずです|아마|것 같|듯(?:합|하|해)|수도 있|의심|추정|추측',
  ),
  /** The opposite of what was thought: a guess that a look refuted. */
  refutation: createMarker(
    "kill(s|ed) (the|that|this|my) (\\p{L}+ )?(theory|idea|hypothesis|suspicion)|(is|are) out(?=[.:;,]|$)|excluded on the way|not (the (cause|culprit|reason|problem|issue|bottleneck)|to blame)|nothing changed|ruled? out|ruling out|wrong|refut(ed|es)|no difference|(same|identical) (numbers?|time|result)|didn't (help|change|matter)|did not (help|change|matter)|does(n't| not) (help|explain|matter)|red herring|dead end|off the table|false (alarm|positive)|fehlalarm|vom tisch|faux positif|falso positivo|fals[oa] alarm[ae]?|ложн\\p{L}+|(won't|will not|does(n't| not)|did(n't| not)) work|geht (so )?nicht|ne (marche|fonctionne) pas|no funciona|não funciona|не (работает|подходит)|innocent|contrary|disproved?|falsch|nicht (die ursache|schuld)|nichts geändert|ausgeschlossen|widerlegt|sackgasse|brachte nichts|hilft nicht|pas (la cause|le coupable|en cause)|rien n'a changé|écart(é|e)e?|faux|ne change rien|fausse piste|no (era|es (el culpable|la causa))|nada (cambió|ha cambiado)|descartad[oa]|equivocad[oa]|falso|no cambia|não (era|é (o culpado|a culpada|a causa))|nada mudou|descartad[oa]|errad[oa]|não muda|non (era|è (il colpevole|la causa))|non è cambiato nulla|esclus[oa]|niet de (oorzaak|boosdoener)|niets veranderd|nie (jest )?(przyczyną|winn\\p{L}+)|nic się nie zmieniło|не в этом|не причина|исключ\\p{L}+|неверн\\p{L}+|ошиб(ался|лась|очн\\p{L}+)|не помог\\p{L}*|не меняет|ничего не изменил\\p{L}+|не виноват\\p{L}*" +
      `|${MORE_LANGUAGES.refutation}`,
    '不行|行不通|误报|誤検知|오탐|うまくいき?ません|だめ|안 됩니다|안 되네|不是(?:原因|这个)|排除|推翻|猜错|没有(?:变化|区别|效果)|无效|并非|原因ではな|違いました|外れ|関係ありません|変わりません|変わらない|무관|아니었|틀렸|배제|변화가 없|차이가 없',
  ),
  /** What was picked among several ways. */
  choice: createMarker(
    "went (with|for)|go(ing)? (with|for)|let's (use|take|keep)|chose|chosen|decided|decide (to|on|against|for)|(i|we) decide|decision|opted|picked|settled on|prefer(red)?|deliberate(ly)?|on purpose|by design|intentional(ly)?|considered|trade-?off|overkill|rejected|discarded|ruled out|kept|keeping|stay(s|ing|ed)? (with|at|on)|i'?d? ?(left|leave) (it|the|them)|against(?= (\\p{L}+ing|an?|the)(?!\\p{L}))|entschieden|entscheidung|bewusst|absichtlich|gewählt|verworfen|verwerfe|wähle|entscheide mich|bleibe bei|bleiben bei|choisi\\p{L}*|préféré|opté|décid\\p{L}+|délibérément|volontairement|retenu|écart(é|e)|choisis|elegí|elijo|decid[íi]\\p{L}*|opt[éo]|preferí|elegido|descart[éo]|descartad[oa]|prefiero|opto|a propósito|escolh\\p{L}+|decidi\\p{L}*|optei|optamos|preferi|prefiro|descartei|de propósito|scelto|scelgo|scarto|preferisco|deciso|optato|gekozen|besloten|bewust|wybra\\p{L}+|zdecydowa\\p{L}+|celowo|выб(ра|ира)\\p{L}+|реши(л|ла|ли)|решение|намеренно|специально|отказа\\p{L}+|предпоч\\p{L}+|оставил\\p{L}*|tercih|seçt\\p{L}+" +
      `|${MORE_LANGUAGES.choice}`,
    '选择|选了|决定|选用|采用|故意|权衡|放弃|保留|ことにし|採用|選び|選ん|選択|あえて|見送|却下|のでやめ|意図的|選定|方針|하기로|선택|결정|채택|일부러|의도적|보류|택했',
  ),
  /** What was made, changed or set; the calls show it. */
  deed: createMarker(
    'fix(ed|es)?|add(ed|s)|now|no longer|nicht mehr|replac(ed|es)|chang(ed|es)|remov(ed|es)|renam(ed|es)|mov(ed|es)|extract(ed|s)|split|implement(ed|s)|creat(ed|es)|updat(ed|es)|introduc(ed|es)|wrote|rewrote|made|switched|bumped|upgraded|pinned|set|configured|deleted|dropped|converted|migrated|refactored|rolled (it )?back|reverted|resolved|enabled|disabled|wired|documented|behoben|hinzugefügt|ergänzt|geändert|ersetzt|entfernt|umbenannt|verschoben|jetzt|nun|korrigiert|angelegt|eingebaut|umgestellt|corrigé\\p{L}*|ajouté\\p{L}*|remplacé\\p{L}*|supprimé\\p{L}*|renommé\\p{L}*|modifié\\p{L}*|créé\\p{L}*|maintenant|désormais|corregid[oa]|añadid[oa]|agregad[oa]|reemplazad[oa]|eliminad[oa]|movid[oa]|cread[oa]|ahora|he (añadido|cambiado|movido|creado|quitado)|corrigid[oa]|adicionad[oa]|adicionei|substituíd[oa]|removid[oa]|removi|movid[oa]|criad[oa]|criei|agora|mudei|исправ\\p{L}+|добав\\p{L}+|замен\\p{L}+|удал\\p{L}+|переименова\\p{L}+|перен[её]с\\p{L}*|обнов\\p{L}+|теперь|создал\\p{L}*|сделал\\p{L}*|поправил\\p{L}*' +
      `|${MORE_LANGUAGES.deed}`,
    '修正し|追加し|変更し|置き換え|削除し|対応し|ように(?:し|なり)|直し|実装し|切り替え|移し|更新し|修复|添加|新增|修改|替换|删除|现在|改为|改成|加了|加上|换成|拆成|抽(?:成|到)|수정(?:했|하|되)|추가(?:했|하|되)|변경(?:했|하|되)|교체|삭제|바꿨|바꾸|구현(?:했|하)|이제|옮겼',
  ),
  /** What is left to do. */
  open: createMarker(
    "left over|open for|next steps?|next(?= ?:)|remaining|left to do|still (not|needs?|to do|to be|open|missing|fails?|failing|red|has to|have to|uses?|unfinished|running)|not (yet|\\p{L}+ yet)|to-?do|follow[- ]?up|remains to|haven't|have not|before (merging|deploying|releasing|the release|we release|going live)|needs? to be (done|added|updated|run|migrated|deployed|re\\p{L}+(ed|un|built))|in a (later|separate|follow)|unfinished|open question|noch (nicht|offen|zu|ausstehend)|fehlt noch|als nächstes|steh(t|en)( noch)? aus|offen (ist|bleibt|sind)|il reste|reste à|il faudra|prochaine étape|à faire|pas encore|falta\\p{L}*|queda(n)? (pendiente|por)|pendientes?|próximo paso|todavía no|aún no|ainda não|falta(m)?|pendente|próximo passo|resta|ancora da|manca|nog niet|jeszcze nie|осталось|ещё не|пока не|следующий шаг|предстоит|нужно будет|henüz" +
      `|${MORE_LANGUAGES.open}`,
    '残って|残り|まだ|未対応|未着手|次は|今後|下一步|还需要|尚未|还没|没(?:有)?(?:在.{1,6})?验证|待办|剩下|后续|遗留|아직|나가기 전에|배포 전에|출시 전에|남아|남은|추후|다음 단계|미해결',
  ),
  /** A rule for all times, not for this once. */
  standing: createMarker(
    "(always|never)(?! (mind|fails?|returns?|works?|happens?|ends?|ended|removed|been|had|was|is|the|a|an|null|true|false|seen?|got|gets|shows?|finished|arrives?))|from now on|in (the )?future|going forward|next time|as a rule|by convention|convention|every time|whenever|each time|ever|remember|i prefer|i (hate|like)|we (always|never|only|don'?t|do not|use|keep|write|name|put|ship|deploy|commit|mock)|policy|house rule|in this (repo|project|codebase)|around here|one \\p{L}+ per \\p{L}+|per (ticket|pr)|immer|niemals|(?<![ąćęłńśźż].*)nie(?!.*[ąćęłńśźż])|ab (jetzt|sofort)|künftig|in zukunft|grundsätzlich|generell|bei uns|eine?n? \\p{L}+ (pro|je) \\p{L}+|wir (nutzen|verwenden|schreiben|machen|nehmen|committen|haben)|bitte (immer|nie|nur)|jedes mal|toujours|jamais|désormais|dorénavant|à l'avenir|chez nous|une? \\p{L}+ par \\p{L}+|on (utilise|met|fait|garde|écrit|ne)|systématiquement|la prochaine fois|siempre|nunca|jamás|a partir de ahora|en adelante|aquí (usamos|no)|en este (repo|proyecto)|la próxima vez|por norma|una? \\p{L}+ por \\p{L}+|usamos|sempre|a partir de agora|daqui pra frente|aqui (a gente|no|usamos)|neste (repo|projeto)|da próxima vez|por padrão|uma? \\p{L}+ por \\p{L}+|un[ao]? \\p{L}+ per \\p{L}+|(?<!\\d\\.? |en |im )mai|d'ora in poi|altijd|nooit|voortaan|zawsze|nigdy|odtąd|u nas|всегда|никогда|впредь|отныне|в следующий раз|у нас|как правило|каждый раз|мы (не|всегда|используем|пишем)|her zaman|asla|bundan sonra" +
      `|${MORE_LANGUAGES.standing}`,
    '总是|永远|以后|今后|从现在起|一律|始终|务必|每次|我们(?:这边|这里|团队|项目|从不|都|一直)|不要再|记住|规范|约定|惯例|統一|今後|これから|いつも|常に|必ず|毎回|絶対|うち(?:の|は|では)|ルール|このプロジェクト|方針|ないでください|앞으로|항상|절대|매번|우리(?:는| 팀| 프로젝트|가)|저희|원칙|규칙|다음부터|무조건|반드시',
  ),
} as const;

export type Marker = keyof typeof MARKERS;
