/** A rule stands at the beginning of a clause; “it never ends” and “always returns null” tell of a fault. */
const clause = '(?:^|[,;:.!—–-]\\s*|\\b(?:and|but|so|please|also|you|we|should|must|to|are)\\s+)';
const rule = new RegExp(
  `${clause}(?:[Pp]lease )?(?:[Aa]lways|[Nn]ever|ALWAYS|NEVER)\\s+(?!(?:the|a|an|null|true|false|been|had|was|mind|on|in|at|for|with|when|after|before|from|by|if|once|again|as|works?|fails?|returns?|happens?|ends?)\\b)[a-z]{2,}`,
);

const standing = [
  /\b(?:from now on|in (?:the )?future|going forward|for next time|next time|as a rule|by convention|our convention|house rule|every time you|whenever you|don't ever|do not ever|remember(?: to| that|:)|i (?:really )?(?:prefer|like it when|want you to always|hate (?:it )?when)|i (?:don't|do not) (?:want|like) (?:you to|it when|any)|we (?:always|never|don't|do not|only) (?:use|write|commit|run|do|put|call|name|push|edit)|stop (?:using|doing|adding|writing|running|committing|editing|putting)|(?:don't|do not) (?:\S+ ){1,8}(?:again|anymore|any more|ever|in this (?:repo|project)))\b/i,
  /\b(?:use|write|put|keep|name|call|run)\b.{2,60}\b(?:our|all) (?:own |other )?\p{L}+s\b.{0,20}, (?:not|never)\b/iu,
  /^(?:(?:and|also|please|but)[, ]+)*(?:don't|do not) (?:put|commit|check in|push|merge|deploy|log)\b.{2,60}\b(?:git|the repo(?:sitory)?|main|master|production|prod|logs?|version control)\b/i,
  /(?<!\p{L})(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|in zukunft|bitte (?:immer|nie(?:mals)?)|ich bevorzuge|(?:immer|nie(?:mals)?) (?:\p{L}+ ){0,5}\p{L}+en(?=[.,!]|$)|(?:verwende|benutze|nutze|schreib|mach|nimm|lass)e? .{0,60}(?:immer|nie(?:mals)?))(?!\p{L})/iu,
  /(?:désormais|à partir de maintenant|dorénavant|toujours (?:utiliser|écrire|faire)|utilise toujours|n'?e? ?\p{L}+ (?:plus )?jamais|je préfère|a partir de ahora|de ahora en adelante|siempre (?:usa|utiliza|escribe)|usa siempre|nunca (?:uses|edites|ejecutes|hagas)|prefiero)/iu,
  /(?:今後は|これからは|必ず.{1,40}(?:して|ください|使)|常に.{1,40}(?:して|ください|使)|(?:使わ|し|書か|触ら|変更し)ないで|以后|今后|始终|务必|总是(?:用|使用)|不要再|永远不要|请一直)/u,
];

/** Whether the person says how something is to be done always, never or from now on. */
export function isStandingRule(text: string): boolean {
  return !/[?？]$/.test(text) && (rule.test(text) || standing.some((pattern) => pattern.test(text)));
}

/** “No”, “stop” and the like, with which a correction begins. */
export const refusal =
  /^(?:(?:no|nope|stop|wrong|not like that|nein|stopp|falsch|non)(?:[,.!:;]+|\s+(?=please|don't|do not|never|always|use|only))|(?:いいえ|違い?ます|不是?|不对)[、。，！,.]?)\s*/i;
