import { hasOrder } from './order-verbs.ts';

/**
 * What a prompt wants, told by its small words. Each list has the same few meanings in every language that it covers; a
 * language that is in none of them is told by its question marks alone.
 */
export interface PromptKind {
  /** “May we”, “I want to”, “any objections?”: answered by a rule or a decision. */
  asksLeave: boolean;
  asksReason: boolean;
  /** “How do I”, “what is”, “is there a”: mostly about a tool, not about this project. */
  asksHow: boolean;
  /** “What is the difference between”: about tools, whatever of them the project uses. */
  asksDifference: boolean;
  /** “Can you”: an order in the form of a question. */
  asksAgent: boolean;
  /** How many, how long, until when, which version: answered by a claim with a number. */
  asksAmount: boolean;
  /** Something fails, hangs or is lost, or users complain: answered by a trap, a fixed bug or a finding. */
  reportsTrouble: boolean;
  /** Begins or ends as an order does: the person wants work, not knowledge. */
  ordersWork: boolean;
  recallsPast: boolean;
}

/** JavaScript's own word boundary knows no letter with an accent. */
const LETTER = 'a-z\\u00c0-\\u024f';

/** @param spaced whole words @param others parts of words, of scripts that have no spaces or many endings */
function anyOf(spaced: string, others: string): RegExp {
  return new RegExp(`(?<![${LETTER}])(?:${join(spaced)})(?![${LETTER}])|${join(others)}`);
}

function join(lines: string): string {
  return lines.trim().split(/\n/).join('|');
}

const ASKS_LEAVE = anyOf(
  `
(?<!how )(?:can|may|could|should|shall|must) (?:i|we)|(?:couldn|wouldn|can|shouldn)'t we|do (?:i|we) (?:have|need) to
is it (?:ok|okay|fine|safe|allowed)|safe to|okay|ok|fine|any objections?|objections?|would it|merge it|why not
i want|i'd like|i would like|i am going to|i'm going to|i plan|let'?s|time to
darf|dürfen|dürften|kann (?:ich|das|man|die|der)|können wir|soll(?:en|te|ten)? (?:ich|wir|man)|spricht (?:was|etwas|da)|ich will|ich würde?|ich möchte|lass uns
on peut|je peux|puis-je|peut-on|pouvons|faut-il|dois-je|doit-on|je (?:mets|range|désactive|supprime)|je veux|je voudrais|je vais|j'aimerais
puedo|podemos|podría|podríamos|(?<!si )se puede|debo|debemos|me vale|algún problema|quiero|quisiera|voy a|vamos a
posso|podemos|poderia|dá (?:pra|para)|devo|tem problema|quero|queria|vou|vamos
possiamo|potremmo|(?<!se )si può|dobbiamo|va bene|voglio|vorrei|pensavo di
mag ik|mogen we|kan ik|kunnen we|zal ik|moet ik|ik wil|mogę|możemy|można|chcę|chciał(?:bym|abym)
olur mu|[a-z]+[ae]bilir (?:miyim|miyiz)|istiyorum|smím|můžeme|chci|får (?:jag|vi)|ska (?:jag|vi)|jag vill
được không|có nên|muốn|boleh(?:kah)?|bisa(?:kah)? (?:saya|kita)|mau|ingin
`,
  `
можно|нужно ли|надо ли|стоит ли|могу|хочу|хотел|давай|собираюсь|чинить\\?|можна|чи варто
可以|能不能|可不可以|行吗|行不行|好吗|要不要|能否|能直接|想|打算
いいですか|いい[?？]|でいい|てもいい|大丈夫|べき|いいかな|ましょうか|したい|たいん|つもり|しようと
해도|될까|되나|할까|괜찮|안 되는 이유|싶은|싶어|하려고|려는데
दूँ|लूँ|सकते हैं|सकता हूँ|सकती हूँ|ठीक है|चाहता|चाहती
هل (?:يمكن|أستطيع|نستطيع|يجوز|نقدر|أقدر)|ممكن|ينفع|مسموح|أريد|بدي|أنوي
μπορώ|μπορούμε|επιτρέπεται|πειράζει αν|θέλω να|σκέφτομαι να|να το κάν|אפשר|מותר|אני יכול|אנחנו יכולים|כדאי|אני רוצה|בא לי
`,
);

const ASKS_REASON = anyOf(
  `
why|how come|reasons?|what made|warum|wieso|weshalb|wozu|grund|pourquoi|raison|por ?qu[eé]|razón|motivo|perch[eé]|perchè|come mai|ragione
waarom|dlaczego|czemu|neden|niye|niçin|proč|varför|tại sao|vì sao|kenapa|mengapa
`,
  `
почему|зачем|отчего|причин|чому|навіщо|为什么|为啥|为何|干嘛|原因|なぜ|なんで|どうして|理由|왜|이유|क्यों|वजह|لماذا|ليش|ليه|سبب|γιατί|λόγο|למה|מדוע|סיבה
`,
);

const ASKS_HOW = anyOf(
  `
how (?:do|can|could|would|should) (?:i|you|one)|how to|what (?:is|are|does|do|would be)|what's|is there (?:a|an|any)|which of|explain|where (?:is|are|can)|do we have
wie (?:mache|kann|richte|bekomme|stelle|lege|exportiere|geht)|was ist|was bedeutet|gibt es|welche|wo ist|wo liegt
comment (?:on|je|faire|[a-zà-ÿ]+er)|qu'est-ce|c'est quoi|quelle? est|y a-t-il|est-ce qu'il (?:y a|existe)|où (?:est|se)
cómo|qué (?:es|hace|diferencia|significa)|cuál es|hay algún|hay alguna|dónde está
como (?:eu|faço|se|[a-zà-ÿ]+r)|o que (?:é|faz)|qual (?:é|a)|tem algum|onde (?:está|fica)
come (?:si|faccio|posso)|cos'è|che cos|qual è|c'è un|hoe|wat is|jak|co to|nasıl|nedir|jak[ýáé]|hur|vad är
như thế nào|làm sao|bagaimana|apa itu
`,
  `
как (?:мне |сделать|отменить|включить|настро)|что (?:такое|делает|значит)|чем отлич|есть ли|где (?:находится|лежит|точка)|объясни
怎么|如何|怎样|是什么|有没有|有什么区别|在哪|どうやって|方法|とは|違い|ありますか|どこ|には[?？]
어떻게|뭐야|무엇|차이|있나요|있어\\?|어디|कैसे|क्या है|कहाँ|كيف|ما هو|ما هي|أين|هل يوجد|πώς (?:να|μπορώ|κάνω)|τι είναι|πού (?:είναι|βρίσκ)|υπάρχει κάποι|איך|מה זה|איפה|יש איזה
`,
);

const ASKS_DIFFERENCE = anyOf(
  `
differences? (?:between|of)|differ from|different from|when (?:would|should|do|does) (?:i|you|one|we) use|versus|vs
unterschiede?|unterscheide[nt]|wann (?:nehme|nimmt|benutzt?|verwendet?|nutzt) (?:ich|man)|différences?|quand (?:utiliser|utilise-t-on)
diferencias?|cuándo (?:se usa|usar|conviene)|diferenças?|quando usar|differenz[ae]|quando (?:si usa|usare|conviene usare)
verschil(?:len)?|różnic[aey]|czym się różni|farkı|fark nedir|rozdíl[uy]?|skillnad(?:en)?|khác (?:gì|nhau)|perbedaan|bedanya
`,
  `
отлича|разниц|відрізня|різниц|区别|差别|有什么不同|分别适合|違い|使い分け|차이|अंतर|फ़र्क|الفرق|διαφορά|διαφέρ|ההבדל|הבדל
`,
);

const ASKS_AGENT = anyOf(
  `
can you|could you|would you|will you|kannst du|könntest du|magst du|peux-tu|tu peux|pourrais-tu|pouvez-vous|puedes|podrías
pode(?:ria)? (?:me )?[a-zà-ÿ]+r|você pode|consegues?|puoi|potresti|mi (?:scrivi|fai|crei|aggiungi)|kun je|kan je|możesz
[a-zı]+[ae]bilir misin|můžeš|kan du|bạn có thể|bisakah kamu
`,
  `
можешь|не мог|можеш|帮我|帮忙|能帮|请你|もらえ|くれ(?:る|ない|ます)|いただけ|줄래|줄 수|주실|सकते हो|दोगे|يمكنك|ممكن ت|μπορείς|תוכל|אתה יכול|את יכולה
`,
);

const ASKS_AMOUNT = anyOf(
  `
how (?:many|much|long|big|often|far|large|old|soon)|which version|what (?:version|limit|number|size|time)|when|until
wie ?viele?|wie lange|wie oft|wann|bis wann|welche version|ab welche[rm]?|combien|quand|quelle version|jusqu'(?:à|au)
cuánt[oa]s?|cuándo|qué versión|hasta|quant[oai]s?|quando|até|qual versão|fino a|hoeveel|wanneer|ile|kiedy|kaç|kolik|kdy
`,
  `
сколько|когда|какой версии|до какого|скільки|коли|多少|几|多久|多大|什么时候|何時|いつ|何件|何分|いくつ|どれくらい|何回|몇|얼마|언제|कितन|कब|كم|متى|πόσ|πότε|μέχρι|כמה|מתי|עד\\s
`,
);

const REPORTS_TROUBLE = anyOf(
  `
(?:fail|error|crash|hang|complain|ignor)[a-z]*|broken|stuck|slow(?:er)?|missing|wrong|lost|loses?|killed|cannot|can'?t|does not|doesn'?t|never|no longer|off by|reports
fehler[a-z]*|(?:ab)?stürzt|kaputt|fehlt|geht nicht|beschwer[a-z]*|erreur|cass[eé]|perd|plaint|ne [a-zà-ÿ]+ (?:plus|pas)
falla|pierden?|se quejan?|no (?:sale|llega|funciona)|quebr[a-z]+|erro|reclamam?|não (?:sai|chega|funciona)|si lamenta|non (?:arriva|funziona)
hata|çalışmıyor|nie działa|błąd|chyba|fel|lỗi
`,
  `
ошибк|падает|не работает|ломает|жалу|ругается|не (?:приходит|доходит|сходится|видно)|помилк
报错|失败|丢|抱怨|反馈|不对|エラー|落ち|失敗|消え|苦情|問い合わせ|おかしい|ずれ|効か|合わない|届か
에러|오류|안 맞|죽|안 돼|안 되(?!는 이유)|안 나|이상|문의|शिकायत|नहीं (?:आ|मिल|चल)|बंद हो|خطأ|يشتكي|شكوى|لا يعمل|لم يصل|σφάλμα|χαλ(?:άει|ασμέν)|χάνετ|δεν (?:δουλεύει|φτάνει|βγαίνει|ταιριάζει)|παραπον|שגיאה|נכשל|נופל|לא (?:עובד|מגיע|מתאים)|תלונ
`,
);

/** An order is told by its last word where a language puts the verb there; hasOrder knows the others. */
const ENDS_IN_ORDER = new RegExp(
  join(`
帮我|换成|改成|看一下|一下[。.\\s]*$|加上|(?:て|ください|ほしい|欲しい)[。.\\s]*$|(?:자|줘요?|주세요)[.\\s]*$
(?:ekle|yaz|sil|değiştir|çevir|güncelle|oluştur|yenile|düzelt|kaldır|taşı|ayarla)[.\\s]*$|(?:ो|ओ|दो|चाहिए)[।.\\s]*$
^bitte |(?:^|[\\s,])(?:please|bitte|stp|svp|por favor|per favore)(?: [${LETTER}]+){0,3}[.!\\s]*$
`),
);

const RECALLS_PAST = anyOf(
  `
again|already|before|back then|(?:it|that|this|there|what|which|why|who|when) was|was (?:it|that|this|the|there)|were|did|had|known|seen|since|still|remember|used to|last (?:week|night|month)|ago
wieder|schon|damals|war|hatten?|nochmal|encore|déjà|avait|était|payait|ya|fue|era|otra vez|já|ainda|foi|già|ancora|weer|toen|już|znowu|był[ao]?|yine|zaten|už|zase|redan|lại|đã|sudah|lagi
`,
  `
уже|опять|снова|был|ещё|знову|вже|已经|之前|上次|又|当时|また|前に|だっけ|でした|또|이미(?!지)|전에|었|았|했|पहले|था|थी|थे|फिर से|سابق|كان|مرة ثانية|ξανά|πάλι|ήδη|ήταν|πριν|שוב|כבר|היה|היתה|פעם
`,
);

/** A longer prompt says at its beginning and its end what it is. */
const LONGEST_END = 300;

export function readPromptKind(prompt: string): PromptKind {
  const text = shortenPrompt(prompt);
  return {
    ...readPromptForm(prompt),
    asksLeave: ASKS_LEAVE.test(text),
    asksReason: ASKS_REASON.test(text),
    asksDifference: ASKS_DIFFERENCE.test(text),
    asksAgent: ASKS_AGENT.test(text),
    asksAmount: ASKS_AMOUNT.test(text),
    reportsTrouble: REPORTS_TROUBLE.test(text),
    recallsPast: RECALLS_PAST.test(text),
  };
}

/** Only what tells that a prompt is not about what is known here: all patterns together take a hook 4 ms to compile. */
export function readPromptForm(prompt: string): Pick<PromptKind, 'asksHow' | 'ordersWork'> {
  const text = shortenPrompt(prompt);
  return { asksHow: ASKS_HOW.test(text), ordersWork: hasOrder(text) || ENDS_IN_ORDER.test(text) };
}

function shortenPrompt(prompt: string): string {
  const text = prompt.trim().toLowerCase();
  return text.length <= 2 * LONGEST_END ? text : `${text.slice(0, LONGEST_END)}\n${text.slice(-LONGEST_END)}`;
}
