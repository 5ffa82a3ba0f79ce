/**
 * What a claim or a prompt does, told by its small words, in the form that the index has them in. Pairs of characters
 * stand for languages without spaces. Each list has the same few meanings in every language that it covers.
 */
const CAUSE = `
becaus sinc otherwis instead therefor henc reason caus due
weil denn deshalb daher sonst damit wegen statt parc car donc sinon afin puisqu porqu pue sino poi senao
потому поэтому иначе чтобы значит 因为 所以 否则 由于 因此 ため ので から 때문 그래 아니 므로 니까
`;
const RULE = `
must never alwai onli not dont no should mai allow keep leav
nie nur immer muss mussen darf durfen nicht kein keine keinen bitt jamai toujour pa doit faut seulement
nunca siempr solo debe nao sempr dev precisa только никогда всегда нельзя не нужно надо
不要 不能 必须 禁止 ない 必ず だけ 말고 반드 하지
`;
const CAUSE_TERMS: ReadonlySet<string> = new Set(CAUSE.trim().split(/\s+/));
const RULE_TERMS: ReadonlySet<string> = new Set(RULE.trim().split(/\s+/));

/** “May we”, “let us”, “I want to”: answered by a rule or a decision. */
const ASKS_LEAVE =
  /(?<!how )\b(?:can (?:i|we)|may (?:i|we)|could (?:i|we)|should (?:i|we)|shall (?:i|we)|okay|ok\b|any objections?|let'?s|i want|i'?d like|would it|darf|dürfen|kann ich|können wir|soll|sollen|spricht was|on peut|je peux|puis-je|peut-on|puedo|podemos|quiero|me vale|posso|dá pra|quero|possiamo|si può|vorrei|voglio|mag ik|mogen we|kan ik|kunnen we|zal ik|mogę|możemy|chcę|istiyorum|olur mu)(?![a-z])|можно|хочу|давай|可以|能不能|行吗|想|いい[?？で]|したい|해도|될까|되나/;
/** Something fails, hangs or is lost: answered by a trap, a fixed bug or a finding. */
const REPORTS_TROUBLE =
  /\b(?:fail|error|broken|crash|hang|stuck|slow|missing|wrong|lost|lose|killed|cannot|can'?t|does not|doesn'?t|fehler|stürz|kaputt|fehlt|erreur|cass|perd|falla|pierd|quebr|erro)|ошибк|падает|не работает|ломает|报错|失败|丢|エラー|落ち|失敗|消え|에러|오류|안 맞|죽/;
/** Begins or ends as an order does: the person wants work, not knowledge. */
const ORDERS_WORK =
  /^(?:please |bitte |can you |could you |kannst du )?(?:add|write|create|make|generate|implement|rename|convert|replace|remove|translate|set up|update|upgrade|bump|switch|format|draft|turn on|sort|split|fix|raise|füge|schreib|bau|leg|benenne|ergänze|entferne|übersetze|ersetze|stell|ajoute|écris|renomme|mets|supprime|traduis|rends|crée|añade|escribe|renombra|configura|quita|pon|traduce|haz|actualiza|sube|adiciona|coloca|escreve|renomeia|remove|traduz|faz|atualiza|cria|aggiungi|scrivi|crea|rinomina|togli|rimuovi|traduci|metti|aggiorna|fai|mi (?:scrivi|fai|crei|aggiungi)|voeg|schrijf|maak|hernoem|verwijder|vertaal|zet|werk|dodaj|napisz|zmień|usuń|przetłumacz|zrób|zaktualizuj)\s|^(?:добавь|напиши|переименуй|настрой|убери|сделай|переведи|обнови|给|写|把|删|加|帮|配置)|(?:帮我|换成|改成|看一下|加上)|(?:して|ください|書いて|消して|作って|付けて|足して)[。.\s]*$|(?:줘|주세요)[.\s]*$|(?:ekle|yaz|sil|değiştir|çevir|güncelle|oluştur)[.\s]*$|\bplease[.\s]*$/;
/** Speaks of what happened before. */
const RECALLS_PAST =
  /\b(?:again|already|before|back then|(?:it|that|this|there|what|which|why|who|when) was|was (?:it|that|this|the|there)|were|did|had|known|seen|since|still|remember|used to|last (?:week|night|month)|ago|wieder|schon|damals|war|hatten?|nochmal|encore|déjà|avait|était|ya|fue|otra vez|já|ainda)(?![a-z])|уже|опять|снова|был|ещё|已经|之前|上次|又|当时|また|前に|だっけ|でした|또|이미|전에|었|았|했/;

/** How many, how long, until when, which version: answered by a claim with a number. */
const ASKS_AMOUNT =
  /\b(?:how (?:many|much|long|big|often|far|large|old|soon)|which version|what (?:version|limit|number|size|time)|when|until|wie ?viele?|wie lange|wie oft|wann|bis wann|welche version|ab welche|combien|quand|quelle version|jusqu|cuánt[oa]s?|cuándo|qué versión|hasta|quanto|quantos|quando|até|qual versão|quanti|fino a|hoeveel|wanneer|ile|kiedy)(?![a-z])|сколько|когда|какой версии|до какого|多少|几|多久|多大|什么时候|何時|いつ|何件|何分|いくつ|どれくらい|何回|몇|얼마|언제/;

export interface PromptKind {
  asksLeave: boolean;
  reportsTrouble: boolean;
  ordersWork: boolean;
  recallsPast: boolean;
  asksAmount: boolean;
}

/** A longer prompt says at its beginning and its end what it is. */
const LONGEST_END = 300;

export function readPromptKind(prompt: string): PromptKind {
  const lower = prompt.trim().toLowerCase();
  const text =
    lower.length <= 2 * LONGEST_END ? lower : `${lower.slice(0, LONGEST_END)}\n${lower.slice(-LONGEST_END)}`;
  return {
    asksLeave: ASKS_LEAVE.test(text),
    reportsTrouble: REPORTS_TROUBLE.test(text),
    ordersWork: ORDERS_WORK.test(text),
    recallsPast: RECALLS_PAST.test(text),
    asksAmount: ASKS_AMOUNT.test(text),
  };
}

export interface ClaimCues {
  givesCause: boolean;
  givesRule: boolean;
}

export function readClaimCues(tokens: string[]): ClaimCues {
  return {
    givesCause: tokens.some((token) => CAUSE_TERMS.has(token)),
    givesRule: tokens.some((token) => RULE_TERMS.has(token)),
  };
}
