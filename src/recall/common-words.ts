import { stem } from '../indexing/stem.ts';

/**
 * What people say about any program. A store of ten memories takes each of these for a rare word; it only learns
 * what is common from hundreds.
 */
const WORDS = `
add allow answer app application apply argument array avoid back base better big bit branch break bug build button
call case cause change check class clean click client code color comment commit common config configure content
convert copy correct create custom data debug default delete design develop directory disable docs document drop
edit empty enable ensure error event example exist expect explain export extract fail failing fast faster feature
fetch field file find finish first fix folder format function general generate get give good great green handle help
ignore implement import improve include input install introduce issue item json key know language large last latest
length level library limit line list little load local log logic long look make match merge message method miss
missing mode module move name need new next nice note number object old open option order output package page part
pass path place print problem process program project prompt pull push put question read readme red refactor release
remove rename render replace request require resolve response return revert review rewrite right run save script
second see send server set setting setup short show simple simplify single site size slow small split start state
step stop store string style support switch table take talk tell test text thing think time title todo tool try turn
type unit up update upgrade use user value variable verify version view wait want warning way web word work works
write wrong
`;

export const COMMON_WORDS: ReadonlySet<string> = new Set(
  WORDS.split(/\s+/)
    .filter((word) => word !== '')
    .map(stem),
);
