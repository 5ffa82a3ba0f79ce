/**
 * Function words that show what a claim does, in the form that the index has them in. Pairs of characters
 * stand for languages without spaces. Each list has the same few meanings in every language that it covers.
 */
const CAUSE = `
becaus sinc otherwis instead therefor henc reason caus due
weil denn deshalb daher sonst damit wegen statt parc car donc sinon afin puisqu porqu pue sino poi senao
perch quindi altrimenti invec omdat daarom poniewaz inaczej cunku yoksa protoz eftersom karena
потому поэтому иначе чтобы значит 因为 所以 否则 由于 因此 ため ので から 때문 그래 아니 므로 니까
бо щоб क्योंकि इसलिए वरना ताकि لأن لذلك حتى وإلا
`;
const RULE = `
must never alwai onli not dont no should mai allow keep leav
nie nur immer muss mussen darf durfen nicht kein keine keinen bitt jamai toujour pa doit faut seulement
nunca siempr solo debe nao sempr dev precisa только никогда всегда нельзя не нужно надо
mai solo deve devono niet nooit altijd alleen moet nigdi zawsz tylko musi asla sadec gerek yasak nikdi vzdy aldrig alltid bara
khong luon chi phai tidak jangan selalu hanya haru ніколи завжди тільки треба
नहीं मत कभी हमेशा सिर्फ़ केवल बिना لا أبدا دائما فقط يجب ممنوع بدون
不要 不能 必须 禁止 ない 必ず だけ 말고 반드 하지
`;
const CAUSE_TERMS: ReadonlySet<string> = new Set(CAUSE.trim().split(/\s+/));
const RULE_TERMS: ReadonlySet<string> = new Set(RULE.trim().split(/\s+/));

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
