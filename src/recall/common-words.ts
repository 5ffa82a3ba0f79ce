/**
 * What people say about any program, in the form that the index has it in: stemming them all would take a hook
 * 2 ms. A store of ten memories takes each of these for a rare word; it only learns what is common from hundreds.
 */
const TERMS = `
add allow answer appli applic argument arrai avoid back base better big bit branch break bug build button
call case caus chang check class clean click client code color comment commit common configur content
convert copi correct creat custom data debug default delet design develop directori disabl document drop
edit empti enabl ensur error event exampl exist expect explain export extract fail fast faster featur fetch
field file find finish first fix format function gener get give good great green handl help ignor implement
import improv includ input instal introduc issu item json kei know languag larg last latest length level
librari limit line list littl load local log logic long look make match merg messag method miss mode modul
move name need new next nice note number object old open option order output packag page part pass path
place print problem process program project prompt pull push put question read readm red refactor releas
renam render replac request requir resolv respons return revert review rewrit right run save script second
see send server set setup short show simpl simplifi singl site size slow small split start state step stop
store string style support switch tabl take talk tell test text thing think time titl todo tool try turn
type unit up updat upgrad us user valu variabl verifi version view wai wait want warn web word work write
wrong
`;

export const COMMON_WORDS: ReadonlySet<string> = new Set(TERMS.trim().split(/\s+/));
