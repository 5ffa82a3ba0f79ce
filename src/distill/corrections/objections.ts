import { needsContext } from '../offline/rating/complete.ts';
import { createMarker } from '../offline/rating/marker.ts';
import { MARKERS } from '../offline/rating/markers.ts';
import { correction } from '../offline/rating/roles.ts';
import { findNames } from '../offline/text/names.ts';
import type { Sentence } from '../offline/text/sentences.ts';
import { readStatement } from './contradict.ts';
import { splitClauses } from './polarity.ts';

/** What a turn says against the answer before it, whatever words it uses for it. */
export interface Objection {
  by: 'person' | 'agent';
  /** What the clause or sentence is about that objects; empty if it only points at something. */
  core: Set<string>;
  /** What it is about with the words around it. */
  whole: Set<string>;
  /** Whether those are several sentences. */
  isPassage: boolean;
  /** The items of the answer's list that it names by number. */
  items: number[];
}

/** Phrases with which a person, or an agent that checks a report, says that something is wrong. */
export const objects = createMarker(
  "(thing|one|point|finding|remark) can go|kann (weg|raus)|peut (sauter|partir)|(se )?puede (quitar|ir)|pode (sair|tirar)|può (saltare|sparire)|(mag|kan) weg|można (skreślić|wyrzucić)|можно (убрать|вычеркнуть)|можна (прибрати|викреслити)|(do not|don'?t|can'?t|cannot|could not|couldn'?t) (share|confirm|reproduce|support)|teile ich nicht|(kann|konnte) ich nicht (bestätigen|nachvollziehen)|ne (partage|confirme) pas|no (comparto|confirmo|puedo confirmar)|não (concordo|confirmo|compartilho)|non (condivido|confermo)|deel ik niet|nie (potwierdzam|potwierdza się)|не подтвержда\\p{L}+|не підтверджу\\p{L}+|(drop|ignore|skip|forget|scratch) (that|this|it|the|those|number|no|nr|#)|(isn'?t|is not|not|aren'?t) (only|just)|(streich\\p{L}*|vergiss|ignorier\\p{L}*) (das|den|die|punkt|nr|nummer)|nicht (nur|bloß)|(oublie|ignore|laisse tomber) (ça|le|la|les|ce|cette)|pas (que|seulement|uniquement)|(olvida|ignora|descarta|quita) (eso|ese|esa|el|la|lo)|no (es |son )?(solo|sólo|solamente)|(esquece|ignora|descarta|tira) (isso|esse|essa|o|a)|não (é |são )?(só|somente|apenas)|(lascia perdere|ignora|dimentica|togli) (quello|quella|questo|questa|il|la|lo)|non (è |sono )?(solo|soltanto)|(vergeet|negeer|schrap) (dat|die|het|de)|niet (alleen|enkel)|(pomiń|zignoruj|zapomnij) \\p{L}+|nie tylko|(забудь|убери|вычеркни|пропусти) (про|это|этот|пункт)|не только|не лише|не тільки|sadece \\p{L}+ değil|yalnızca \\p{L}+ değil|(is|are|was|were|'s) off|can'?t be (right|true)|not what (changed|happen\\p{L}*|we \\p{L}+)|no longer (true|holds?|valid|appl\\p{L}+|the case)|not an? (bug|blocker|problem|issue|risk|error|finding)|does(n'?t| not) (hold|apply|fit|match)|under the impression|you (missed|overlooked|misread|misunderstood|forgot)|is(n't| not) (true|right|correct|so|the case)|that's not|(is|are|you're) (wrong|mistaken|incorrect)|stimmt( \\p{L}+){0,2} nicht|gilt( \\p{L}+){0,2} nicht|nicht (richtig|korrekt|ganz richtig|der fall)|kein (blocker|problem|fehler|bug)|übersehen|trifft( \\p{L}+){0,2} nicht zu|taugt nicht|falsch|n'est (pas|plus) (vrai|exact|juste|le cas|correct|valable)|ne (tient|vaut|marche|sert) (pas|plus)|inexact|faux|(tu oublies|tu te trompes)|pas un (bug|problème|bloquant|défaut)|no (sirve|sirven|vale|valen|es correcto|es cierto|es así|aplica|se sostiene|es un (problema|error|bug))|ya no (es|vale|valen|aplica|existe)|te equivocas|não (serve|vale|valem|procede|se aplica|está certo|é (verdade|assim|um (problema|erro|bug)))|já não (é|vale|existe)|non (è (così|corretto|vero|un (problema|errore|bug))|vale|valgono|torna|regge)|klopt( \\p{L}+){0,2} niet|geldt( \\p{L}+){0,2} niet|to nie (tak|prawda|jest błąd)|nieaktualn\\p{L}+|это не (так|баг|ошибка)|неверно|уже не (так|действует|актуально)|не подходит|doğru değil|geçerli değil|i disagree|don'?t agree|not true|(that's|this is|that is|it's|you're|you are|is) (wrong|mistaken|incorrect|not (right|correct|so|the case))|stimmt (so )?nicht|stimmt nicht ganz|sehe ich anders|bin nicht einverstanden|pas d'accord|(c'est|est) faux|no estoy de acuerdo|no es (cierto|así|verdad)|não concordo|discordo|não é (verdade|bem assim)|non sono d'accordo|non è vero|niet mee eens|klopt niet|nie zgadzam się|to nieprawda|не соглас\\p{L}+|это не так|неправда|katılmıyorum",
  '不(?:只|仅|光)(?:是|有)?|忽略|删掉(?:这|那)|だけ(?:じゃ|では)|外して|無視して|(?:만|뿐)(?:이)? 아니|빼(?:줘|주)|무시|不对|不是这样|不成立|不适用|说错|有误|已经不是|違います|違う|間違|誤り|そうではな|当てはまりません|もともと.{0,12}(?:ません|ない)|틀렸|아닙니다|아니에요|맞지 않|사실과 달|不同意|错了|反对|ではありません|동의하지|그렇지 않',
);

/** Phrases with which a person says that what the answer criticises is intended. */
const defends = createMarker(
  "(no need|not necessary|needs? no|needn'?t|doesn'?t (need|have to)|does not (need|have to)|muss (man )?nicht|braucht (man )?nicht|brauchen wir nicht|pas (besoin|nécessaire)|inutile|no (hace falta|es necesario)|não (precisa|é preciso)|non (serve|occorre|è necessario)|hoeft niet|nie trzeba|не (надо|нужно)|не (треба|потрібно)|gerek yok)|by design|(is|are|it's|that's) (intended|intentional|on purpose|expected|fine|ok|okay)|(ist|sind) (so )?(ok|okay|in ordnung|gewollt|richtig so)|passt so|(c'est|est|sont) (ok|bon|normal)|está(n)? bien|tá (ok|certo|bom)|va bene( così)?|(is|zijn) (prima|ok)|jest (ok|w porządku)|так и надо|нормально|так і (треба|має бути)|sorun değil|not a bug|so gewollt|ist absicht|mit absicht|kein (bug|fehler)|c'est voulu|fait exprès|es (a propósito|intencional)|no es un (bug|error)|é (de propósito|intencional)|não é (bug|erro)|è voluto|met opzet|celowo|так (и )?задумано|это не (баг|ошибка)|специально|bilerek",
  '不(?:用|必|需要)|直さなくて|修正不要|必要(?:ない|ありません)|필요(?:없| 없)|안 (?:고쳐|바꿔)도|没问题|没关系|問題(?:ない|ありません)|大丈夫|괜찮|문제(?:없| 없)|仕様(?:なので|です|通り)|合意済み|設計(?:通り|上)|意図的|故意的|有意|设计如此|不是 ?(?:bug|问题)|의도(?:된|한)|일부러|버그가? 아',
);

/** Phrases with which a person has work undone: what the answer says about it no longer holds. */
const undoes = createMarker(
  'undo|revert (the|that|this|your|it)|back (it|that|this) out|roll (it|that|this|the \\p{L}+) back|rückgängig|annule\\p{L}{0,2}|deshaz|deshac\\p{L}+|revierte|desfaz|desfaça\\p{L}*|reverte|annulla|draai (\\p{L}+ ){1,4}terug|cofnij|откати\\p{L}*|отмени\\p{L}*|geri al',
  '撤销|撤回|回滚|还原|元に戻|取り消して|되돌려',
);

/** Phrases with which an agent admits that it was wrong. */
const CONCEDING =
  "you'?re (absolutely |quite |completely |of course )?right|you are (absolutely |quite )?right|fair (point|enough)|my (mistake|bad|error)|i was (wrong|mistaken)|i (misread|overlooked|misremembered|stand corrected|withdraw|retract)|i (had|have) (misread|overlooked|missed|only (read|looked|seen|checked))|i take (\\S+ ){1,4}back|i got (that|it|this) wrong|i (must |have to )?correct (myself|that|this|my)|let me correct|ich korrigiere|ich muss (\\p{L}+ )?korrigieren|je (me )?corrige|(me )?corrijo|(mi )?correggo|ik corrigeer|poprawiam|prostuję|(поправля|исправля)юсь|düzelt(iyorum|eyim|mem)|my (earlier|previous|first) (answer|claim|explanation|statement)|(du hast|sie haben|ihr habt|hast du|haben sie) (völlig |natürlich )?recht|mein fehler|ich (lag|habe mich|hatte mich) (\\p{L}+ ){0,2}(falsch|daneben|geirrt|vertan)|nehme (\\p{L}+ ){1,3}zurück|da lag ich falsch|(tu as|vous avez) (tout à fait |bien )?raison|je (me suis|m'étais) tromp\\p{L}+|j'avais tort|je retire|(au temps|autant) pour moi|mon erreur|(tienes|tiene|tenés|tienen) (toda la )?razón|me (equivoqué|había equivocado)|retiro|(error mío|mi error)|(você tem|tem|tens|tinha) (toda a )?razão|me enganei|errei|(erro meu|meu erro)|(hai|ha|avete) (perfettamente )?ragione|mi (sono|ero) sbagliat[oa]|(errore mio|mio errore)|la mia risposta di prima|(je hebt|u hebt|u heeft) gelijk|mijn fout|ik (had|heb) me vergist|masz rację|mój błąd|(myliłem|pomyliłem) się|wycofuję|(ты|вы) (был\\p{L}* )?прав\\p{L}*|я ошиб\\p{L}+|моя ошибка|haklısın\\p{L}*|benim hatam|yanılmışım|(that|this|it|which) changes (things|a lot|the (picture|answer)|everything)|scratch that|i (had )?(wrongly )?assumed|(thanks|thank you) for (the correction|correcting)|(he|she|they)( is| are|'s|'re) right|\\p{L}+ hat recht|das ändert (einiges|alles|die lage|das bild)|danke für (den hinweis|die korrektur)|ich (bin|war) davon ausgegangen|(ça|cela) change (tout|la donne)|merci pour la (précision|correction)|je (pensais|croyais) que|eso (lo )?cambia (todo|las cosas)|gracias por la (aclaración|corrección)|(supuse|asumí|di por hecho)|isso muda (tudo|as coisas)|obrigad[oa] pela correção|questo cambia (tutto|le cose)|grazie (della|per la) (precisazione|correzione)|avevo dato per scontato|это (всё )?меняет|я (думал|считал|предполагал)\\p{L}*|спасибо за (уточнение|поправку)";
export const concedes = createMarker(
  CONCEDING,
  '(?:我)?更正|訂正し|정정(?:합|하|드)|(?:你|您)说得对|我(?:弄|搞|看|理解|说)?错了|是我(?:的错|疏忽|没)|我收回|その通り|(?:おっしゃる|ご指摘の)(?:通り|とおり)|確認不足|私の(?:誤り|間違い|勘違い)|(?:間違って|誤って)いました|取り下げ|撤回し|말씀이 맞|말씀하신 대로|제가 (?:잘못|틀렸|착각)|제 (?:실수|착오)|철회|(?:感谢|谢谢)指正|我以为|ご指摘ありがとう|思い込んで|지적 감사',
);

/** Phrases with which an agent refers to what it said; with a negation, a retraction. */
const quotesItself = createMarker(
  "i (wrote|said|claimed|stated|told you|reported)|ich (hatte|habe) (\\p{L}+ ){0,4}(geschrieben|gesagt|behauptet|gemeldet)|j'(avais|ai) (dit|écrit|affirmé)|(he|había) (dicho|escrito|afirmado)|(eu )?(disse|escrevi|tinha dito|afirmei)|(ho|avevo) (detto|scritto)|ik (schreef|zei)|(na)?pisałem|я (писал|говорил|утверждал|написал|сказал)\\p{L}*|yazmıştım|demiştim",
  '我(?:之前|刚才|上面|前面)(?:说|写|提到)|と(?:書き|言い|申し上げ|お伝えし)ました|라고 (?:했|썼|적었|말씀드렸)',
);

const WHOLE_WORD = /[\p{Script=Latin}\p{Script=Cyrillic}]{4,}/gu;
/** Before what is a name of code. */
export const NAME = 'name ';

/** So few words do not say what they are about: the sentences after them do. */
const FEW_WORDS = 5;
const SENTENCES_AFTER = 2;
/** After it admits a mistake, an agent says in so many sentences how it really is. */
const SENTENCES_CONCEDED = 5;

/** `typed` is what the person wrote without their questions, `said` the messages of the agent. */
export function readObjections(typed: string[], said: Sentence[][]): Objection[] {
  return [...typed.flatMap((_, index) => readDenial(typed.slice(index))), ...said.flatMap(readConcessions)];
}

function readDenial([text = '', ...after]: string[]): Objection[] {
  const rejects = (words: string) => [objects, undoes, correction].some((marker) => marker.test(words));
  const isObjection = (words: string) => rejects(words) || defends.test(words);
  const items = readItems(text, isObjection);
  // What is fine as it is may have been described rightly; as a finding with a number it is withdrawn.
  if (!rejects(text) && items.length === 0) return [];
  const clauses = splitClauses(text)
    .map((clause) => clause.text.trim())
    .filter((clause) => isObjection(clause) && !needsContext({ text: clause }));
  const isShort = clauses.length === 0 && readStatement(text).words.size < FEW_WORDS;
  const whole = isShort ? [text, ...after.slice(0, SENTENCES_AFTER)] : [text];
  return [
    {
      by: 'person',
      core: readSubject(clauses.join(' ')),
      whole: readSubject(whole.join(' ')),
      isPassage: whole.length > 1,
      items,
    },
  ];
}

/** “no 4 is intended”, “#2 and #3 are by design”, but not “4 is enough”. */
const ITEM =
  /(?:(?:(?<!\p{L})(?:no|nr|num|number|finding|item|point|punkt|befund|numéro|constat|punto|hallazgo|número|ponto|achado|пункт|bevinding|punt|nummer)\.?|#|№|n[°º])\s*|第\s*|^)(\d{1,2})(?:\s?(?:番目?|번째?|号|点|条|つ目))?(?![\p{L}\p{N}.%:])/giu;

/** “the second one is not true” */
const ORDINALS = [
  'first one|first (point|finding|item)|erste punkt|erste befund|premier (point|constat)|primer (punto|hallazgo)|primeiro (ponto|achado)|primo punto|eerste punt|pierwszy punkt|первый пункт|перший пункт|第一(点|条|个)|[1一]つ目|첫 번째',
  'second one|second (point|finding|item)|zweite punkt|zweite befund|(deuxième|second) (point|constat)|segundo (punto|hallazgo|ponto|achado)|secondo punto|tweede punt|drugi punkt|второй пункт|другий пункт|第二(点|条|个)|[2二]つ目|두 번째',
  'third one|third (point|finding|item)|dritte punkt|dritte befund|troisième (point|constat)|tercer (punto|hallazgo)|terceiro (ponto|achado)|terzo punto|derde punt|trzeci punkt|третий пункт|третій пункт|第三(点|条|个)|[3三]つ目|세 번째',
].map((words) => new RegExp(`(?<!\\p{L})(?:${words})`, 'iu'));

function readItems(text: string, isObjection: (words: string) => boolean): number[] {
  const clauses = splitClauses(text).filter((clause) => isObjection(clause.text));
  return clauses.flatMap((clause) => [
    ...[...clause.text.matchAll(ITEM)].map(([, number]) => Number(number)),
    ...ORDINALS.flatMap((ordinal, index) => (ordinal.test(clause.text) ? [index + 1] : [])),
  ]);
}

/** “You are right” is no more about something that is right than any other words. */
const concedingWords = new Set(readKeys(CONCEDING));

function readConcessions(message: Sentence[]): Objection[] {
  return message.flatMap(({ text, block }, index): Objection[] => {
    const next = message[index + 1];
    const deniesIt = [text, next?.block === block ? next.text : ''].some((each) =>
      MARKERS.negation.test(each),
    );
    if (!concedes.test(text) && !(quotesItself.test(text) && deniesIt)) return [];
    const own = message.slice(index, index + SENTENCES_CONCEDED).filter((each) => each.block === block);
    return [
      {
        by: 'agent',
        core: readSubject(text),
        whole: readSubject(own.map((each) => each.text).join(' ')),
        isPassage: true,
        items: [],
      },
    ];
  });
}

/**
 * What a text is about: its names, values and words. The words of a name are only compared whole: `Instant` is not
 * “Instanz”, but “the paper trail” is `has_paper_trail`.
 */
export function readSubject(text: string): Set<string> {
  return new Set(readKeys(text).filter((key) => !concedingWords.has(key)));
}

function readKeys(text: string): string[] {
  const { names, quantities } = readStatement(text);
  const prose = findNames(text).reduce((left, name) => left.replaceAll(name, ' '), text);
  return [
    ...readStatement(prose).words,
    ...(text.toLowerCase().match(WHOLE_WORD) ?? []).map((word) => `whole ${word}`),
    ...[...names].map((name) => `${NAME}${name}`),
    ...quantities.map(({ value }) => `value ${value}`),
  ];
}
