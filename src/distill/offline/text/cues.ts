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
  // “Yes, but not with one command.”: how, is said after it.
  /^(yes|no|ja|nein|oui|non|sí|sim|não|sì|nee|tak|nie|да|нет),? (but|aber|mais|pero|mas|ma|maar|ale|но)\b[\p{L} ,']{0,45}[.!]?$/iu,
  /^(どういたしまして|ありがとう|お疲れ|こんにちは|不客气|谢谢|你好|没问题|好的|失礼しました|申し訳|すみません).{0,12}$/u,
];

/** The agent asks the person, or offers to go on. */
export const offer =
  /\b(want me to|would you like|should i|shall i|do you want|may i|is it ok|would you prefer|which (one|option|way|of)|how (should|would) (i|we|you)|if you (want|like|prefer|wish),? i (can|could|will|'ll)|i can also|i could also|happy to|soll ich|möchtest du|möchten sie|wollen wir|voulez-vous|veux-tu|dois-je|quieres|¿)|しましょうか|よろしいですか|ますか[？?]?$|需要我|要不要|是否/i;
