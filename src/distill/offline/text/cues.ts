import { cue } from './cue.ts';

/** Says nothing but what the agent is doing or about to do. */
export const narration = [
  /^(ok(ay)?[,.]? )?(now |next,? |first,? |then |so )*(let me|let's|i'll|i will|i'm going to|i am going to|i'm now|i am now)\b(?! (use|go with|keep|stick)\b.*\b(because|since|instead|rather)\b)/i,
  /^(now|next|first|then),? (i|to|for|on to|let's)\b(?! (went|chose|decided|kept))/i,
  /^(here's|here is|here are|below is|the following is|this is) (what|a|an|the|my|how)\b.{0,60}(summary|overview|rundown|breakdown|did|changed|found|picture|result|plan|list|happened|works|answer)?.{0,20}[:.]?$/i,
  /^i('ve| have)? (now )?(have )?(a )?(clear|good|full|better|everything)\b/i,
  /^(summary|overview|tl;?dr|result|done|fixed|all done|finished|complete|completed|ready|all set|that's it|that's all|everything (is )?(done|in place|works)|hope (this|that) helps)\b.{0,12}$/i,
  /^(i (changed|touched|modified) nothing|nothing (is|was|has been) changed|no (files|code) (was|were) changed)\b.{0,20}$/i,
  /^(the )?(fix|change|work) is (done|in|in place|complete)\W*$/i,
  /^(i('ve| have)? )?(found it|fixed (it|this|that)|done that|did (it|that|so)|(found|identified|located) the (issue|problem|cause|bug|culprit|reason|root cause))\b.{0,30}$/i,
  /^(moving on|starting with|looking at|checking|running|reading|continuing)\b.{0,80}$/i,
  /^(ich (schaue|sehe|werde|beginne|prüfe|lese)\b.{0,90}|zuerst\b.{0,60}|als nächstes (werde|schaue|prüfe)\b.{0,60}|fertig|erledigt)\W*$/i,
  /^(je vais|d'abord je|voyons|voy a|vamos a|primero voy)\b.{0,90}$/i,
  /^(ich habe |es wurde )?nichts (geändert|verändert)\W*$/i,
  /^(まず|では|次に|それでは).{0,40}(します|見ます|確認します|調べます|みます)。?$/u,
  /^(完了しました|(修正|対応|変更|追加|実装)しました|終わりました|了解です?|承知しました|わかりました|好的|明白了|完成了?|已(经)?(修复|完成|解决|更新|处理)了?|太好了)[。!！]?$/u,
  /^(我先|让我|首先|接下来我|我来|现在我).{0,40}(看|查|检查|运行|读)/u,
];

/** Courtesy, praise and offers of help. */
export const courtesy = [
  /^(tell me (which|what|if|whether|when)|it is your call|it's your call|up to you|your call)\b/i,
  /^i hope\b/i,
  /\b(let me know|feel free|happy to (help|do|make|take)|glad (to|that)|hope (this|that) helps|don't hesitate|sounds good)\b/i,
  /^(you're (absolutely |quite |completely )?(right|welcome|correct)|you are (absolutely |quite )?right|thanks|thank you|great|perfect|excellent|good (catch|point|question|idea|news|call|instinct|eye|thinking|hunch)|great question|nice|awesome|sure|of course|certainly|absolutely|understood|got it|ok(ay)?|yes|no|no problem|no worries|my pleasure|anytime|hi|hello|hey|howdy|bye|goodbye|sorry|apologies|my mistake|noted|will do|cheers|sounds good|makes sense|agreed|fair enough|right)( (that|about|for|for the|to)\b.{0,40})?\s*[.!,]*$/i,
  /^(gern(e)?( geschehen)?|danke|bitte( schön| sehr)?|klar|verstanden|hallo|moin( moin)?|servus|grüß (dich|gott)|alles klar|super|prima|perfekt|toll|klasse|guten (tag|morgen)|de rien|parfait|génial|nickel|merci|bonjour|avec plaisir|bien sûr|compris|de nada|gracias|hola|claro|entendido|perfecto|genial)\b.{0,20}$/i,
  // An offer without a question, a promise, a cheer.
  /^.{0,60}\b(if|whenever|once|when) you('d| would)? (want|like|wish|prefer|say so|are ready|'re ready)\b.{0,20}$/i,
  /^(just )?say (the word|so)\b.{0,40}$/i,
  /^(künftig\p{L}*|ab jetzt|dabei|so|daran)\b.{0,40}\b(lege|mache|schreibe|nutze|verwende|halte|bleibe|achte) ich\b.{0,30}$/iu,
  /^今後[もは].{0,30}(ます|ません)。?$/u,
  /^(enjoy|have fun|happy \p{L}+ing|good luck|voilà|ta-?da|yay|hooray|woo-?hoo|see you|until next time|viel (spaß|erfolg)|bon courage)\b.{0,20}$/iu,
  /^(どういたしまして|ありがとう|お疲れ|こんにちは|不客气|谢谢|你好|没问题|好的|失礼しました|申し訳|すみません)/u,
];

/** Words before the point: “Done — the test passes” says “the test passes”. */
export const opening =
  /^(?:(?:done|fixed it|great|perfect|good (?:catch|question|point|instinct|eye|thinking|hunch)|great question|yes|no|sure|understood|ok(?:ay)?|alright|got it|right|agreed|exactly|all done|confirmed|found it|thanks|fertig|erledigt|ja|klar|verstanden|oui|voilà|sí|listo|hecho|はい|いいえ|完了しました|できました|好的|完成)(?:\s*[.!。！]\s*|\s*[—–-]{1,2}\s+|\s*[,:、，：]\s*))+(?=\S)/i;

/** “Understood, plan only”: says back what the person said. */
export const acknowledgement =
  /^(?:understood|got it|noted|alright|will do|verstanden|alles klar|compris|entendu|entendido|了解(?:です|しました)?|承知しました|明白了?)[\s,.:;、。，—–-]+/i;

/** How sure the agent is of itself. */
export const confidence =
  /^(?:i'm|i am|i was) (?:\p{L}+ )?(?:confident|sure|certain|convinced)\b|^i (?:can't|cannot|could not|couldn't) (?:prove|rule out|be sure|tell for sure)\b/iu;

const because = cue(
  "because|caused( by)?|c(omes?|ame) from|stem(s|med) from|(root )?cause|due to|turn(s|ed) out|the reason (is|was|why|for)|that's why|which is why|this is why|culprit|therefore|hence|results? in|resulted in|leads? to|led to|as a result|since (the|it|this|that|both|we|no|every|each)|so (the|it|that|each|every|no|only|they|a|an|two|all|any|both|its|we|one)|weil|ursache|daran|kommt (nicht |daher)?(von|vom|aus)|kam (von|vom|aus)|deshalb|daher|dadurch|sodass|so dass|wegen|liegt? an|parce que|car|à cause|donc|c'est pourquoi|porque|debido|por eso|por lo que|ya que",
  '原因|ため(?!に(?:は)?必)|ので|によって|せいで|なぜなら|因为|由于|所以|因此|导致',
);
/** “…, so after ten pushes it wrote past the end” */
export const cause = new RegExp(`${because.source}|,\\s+so\\s+(?!(?:far|on|forth|i|we)\\b)\\p{L}`, 'iu');

export const result = cue(
  'fix(ed|es)?|add(ed|s)?|now|replac(ed|es)|chang(ed|es)|remov(ed|es)|renam(ed|es)|mov(ed|es)|extract(ed|s)|split|implement(ed|s)|creat(ed|es)|updat(ed|es)|introduc(ed|es)|wrote|writes|made|switched|bumped|upgraded|pinned|set|configured|committed|merged|deleted|dropped|converted|migrated|rewrote|refactored|no longer|works again|resolved|enabled|disabled|wired|documented|behoben|hinzugefügt|ergänzt|geändert|ersetzt|entfernt|umbenannt|verschoben|jetzt|nun|nutzt|korrigiert|angelegt|corrigé|ajouté|remplacé|supprimé|renommé|maintenant|désormais|corregido|añadido|agregado|reemplazado|eliminado|ahora',
  '修正し|追加し|変更し|置き換え|削除し|対応し|ように(?:し|なり)|直し|実装し|修复|添加|新增|修改|替换|删除|现在|改为|改成',
);

/** A run's outcome and nothing more. */
export const status = cue(
  'pass(es|ed|ing)?|green|all \\d+ tests|tests? (are|is) (ok|fine)|builds cleanly|works again|(is|are) back|type-?checks|grün|bestanden|durch|laufen( wieder)?|passent|au vert|pasan|en verde',
  '通り|パス|成功|グリーン|通过',
);

export const nextStep = cue(
  "next steps?|next(?= ?:)|remaining|left to do|still (not|needs?|to do|to be|open|missing|fails?|failing|red|has to|have to|uses?|unfinished)|not (yet|\\p{L}+ yet)|isn't (done|finished|yet)|to-?do|you (may|might|could|should|will|'ll|'d) (also )?(want|need|have|like) to|you('ll| will) (need|have|want) to|you should|follow[- ]?up|remains to|haven't|have not|would be (worth|good|sensible)|worth (doing|adding|checking|a follow)|before (merging|deploying|releasing|the release)|should (still|later|also|next)|needs? to be (done|added|updated|run|migrated|deployed)|in a (later|separate|follow)|i'd (also )?(do|add|look|move|like|fix|handle|tackle|split|keep|wait|leave)|noch (nicht|offen|zu|fehlt)|fehlt noch|als nächstes|sollte(n)? (noch|als)|steht( noch)? aus|offen (ist|bleibt|sind)|reste|il faudra|prochaine étape|falta|queda(n)?|pendiente|próximo paso|todavía no",
  '残って|まだ|未対応|次は|今後|必要があります|した方が|下一步|还需要|尚未|还没|待办|剩下|建议',
);

/** What the agent would do; with its reason it is the answer to “what are the options?”. */
export const advice = cue(
  "i('d| would)? (suggest|recommend|advise|go (with|for))|my (recommendation|advice|suggestion)|ich (würde|empfehle|schlage)|je (recommande|conseille|suggère)|recomiendo|sugiero",
  'おすすめ|お勧め|推奨|建议|推荐',
);

export const caveat = cue(
  "note( that)?|noted that|beware|be (careful|aware)|caveats?|keep in mind|heads[- ]?up|watch out|one (thing|catch|consequence|caveat) (to|that|i|you)|side effects?|worth (knowing|noting|mentioning|remembering)|careful|limitation|limited to|however|only works|does(n't| not) (cover|handle|apply|touch|change|affect)|not (corrected|covered|handled|affected|touched|backfilled)|be warned|gotcha|pitfall|trap|important|hinweis|achtung|vorsicht|beachte(n)?|wichtig|allerdings|nicht (abgedeckt|betroffen)|attention|remarque|à noter|cependant|ojo|cuidado|ten en cuenta|sin embargo|nota",
  '注意|なお|ただし|留意|请注意|需要注意|不过|但是要',
);

const chose =
  "(i|we|i've|we've|i have|we have)( have| had)?( also)?( therefore| deliberately| intentionally| finally)? (went (with|for)|chose|chosen|decided|opted|picked|settled|prefer(red)?|kept|stayed|stuck|left|avoided|used|did(n't| not) (use|add|take|go|make|touch|pull|introduce|want))|(i'll|i will|we'll|we will|let's) (use|go with|keep|stick|take)|decision|decided (to|on|against|for)|deliberate(ly)?|on purpose|by design|intentional(ly)?|the alternative|considered|trade-?off|over-?kill|ruled out|rejected|entschieden|bewusst|absichtlich|die wahl|gewählt|verworfen|j'ai (choisi|préféré|opté)|nous avons (choisi|décidé)|délibérément|elegí|decidí|opté|preferí|hemos (elegido|decidido)";
export const choice = cue(
  chose,
  'ことにし|採用し|選び|選ん|選択し|あえて|见送|見送|选择了|决定|选用|采用|故意',
);

export const contrast = cue(
  "instead( of)?|rather than|over (a|an|the)|as opposed to|not (a|an|the) .{2,40} but|in place of|statt(dessen)?|anstatt|anstelle|plutôt (que|qu')|au lieu (de|d')|en (lugar|vez) de",
  '代わりに|ではなく|よりも|而不是|代替|而非',
);

/** A choice is worth keeping for its reason. */
export const reason = cue(
  'because|since|so that|so (the|it|we|no|a|there|every|each|nothing|both|that|you|users|callers|clients)|as (it|the|this|we|that|they)|to (avoid|keep|prevent|stay|make|let|be|allow|support|spare|save)|which (would|means|keeps|avoids|needs|makes|is)|that (would|way|keeps|avoids|needs)|would (have|need|be|mean|require|break|pull|make)|needs? no|without|avoids?|keeps?|weil|damit|denn|da (die|der|das|es|wir|so)|um .{3,60} zu|sonst|parce que|car|afin|pour (éviter|que)|puisque|sinon|porque|para (que|evitar|no)|ya que|así',
  'ため|ので|から|なぜなら|因为|以便|为了|避免|这样',
);

/** The agent asks the person, or offers to go on. */
export const offer =
  /\b(want me to|would you like|should i|shall i|do you want|may i|is it ok|would you prefer|which (one|option|way|of)|how (should|would) (i|we|you)|if you (want|like|prefer|wish),? i (can|could|will|'ll)|i can also|i could also|happy to|soll ich|möchtest du|möchten sie|wollen wir|voulez-vous|veux-tu|dois-je|quieres|¿)|しましょうか|よろしいですか|ますか[？?]?$|需要我|要不要|是否/i;

/** Given up: what was tried does not work, and was taken back. */
export const givenUp = cue(
  "revert(ed|ing)?|roll(ed|ing) (it |this |everything |them )?back|back(ed)? (it |this |that |everything |them )?out|gave up|giving up|dead end|abandon(ed|ing)?|undone|undid|took (it|this|that|them|everything) (back|out)|put (it|them|that|everything) back|not worth|does(n't| not) work|did(n't| not) (work|help|pan out)|can(not|'t) (be done|work)|won't work|not (possible|feasible|viable)|impossible|as it was|as before|unchanged|zurückgenommen|zurückgesetzt|rückgängig|aufgegeben|sackgasse|verworfen|geht (so )?nicht|annulé|abandonné|impasse|ne marche pas|revertido|descartado|abandonado|no funciona|callejón",
  '断念|元に戻|取り消|うまくいか|諦め|あきらめ|放弃|回滚|撤销|还原|行不通|不可行',
);

/** “I left it alone, you only asked for the list”: kept to what was asked, which is no choice of its own. */
export const keptToRequest =
  /\b(?:left|kept|leave|leaving) (?:it|that|this|them|those|these) (?:alone|untouched|out|as (?:it|they|is|was))|\byou (?:only |just |did(?:n't| not) )?(?:ask|asked|wanted|said|told)\b/i;

/** Begins with what was done; a reason that follows belongs to it. */
export const deed =
  /^(?:(?:i|we)(?:'ve| have)? (?:also |now |then |therefore |simply |just )*(?!(?:tried|noticed|checked|considered|wondered|expected|wanted|needed|looked|searched|decided|opted|picked|preferred|stopped|failed|assumed|confirmed|verified|tested)\b)(?:\p{L}+ed|wrote|rewrote|made|put|set|split|built|took|gave|cut|went through)\b|(?:added|moved|replaced|renamed|removed|deleted|extracted|exported|wrapped|switched|updated|changed|converted|migrated|introduced|created|dropped|bumped|pinned)\b|(?:ich habe|wir haben) (?!.*\b(?:gesehen|gefunden|bemerkt|überlegt|versucht|erwogen|entschieden)\b).*(?<!\p{L})(?:\p{L}{0,12}ge\p{L}{3,16}(?:t|en)|\p{L}{2,16}(?:iert|setzt|fernt|gänzt|legt|baut))(?!\p{L}))/iu;

/** Something seen beside the point of the work. */
export const finding = cue(
  "(i|we|the (sub)?agents?|it|subagents?|the (report|search|audit|review))( have| has|'ve)?( also)? (found (an?|another|two|three|four|one|some|no|that)|noticed|discovered|spotted|came across|turned up|reported|reports)|while (doing|looking|reading|at it)|(one|a) (flaw|catch|oddity|surprise)|mir ist( dabei)? aufgefallen|dabei (fiel|habe ich)|aufgefallen|j'ai (remarqué|trouvé)|he (encontrado|notado)",
  '気づ|見つけ|見つかり|发现|注意到',
);

/** Tells what was looked at or tried out. */
export const check =
  /^(?:i|we)(?:'ve| have)?(?: also)? (?:called|checked|compared|measured|traced|tested|profiled|went through|reproduced|verified|searched|read|looked (?:at|through|for)|ran|counted)\b|^(?:ich habe|wir haben) .{0,60}(?:geprüft|verglichen|gemessen|getestet|durchsucht)\b/i;

/** How it is from now on: what follows from it is part of the cure, not a cause. */
export const nowIs = cue('now|no longer|jetzt|nun|désormais|maintenant|ahora', 'ように(?:し|なり)|现在|改为');
