/**
 * Forms that English stemming does not unify, one row per word. Only real equivalents: irregular forms and common
 * abbreviations.
 */
const ROWS = [
  'be am is are was were been being',
  'have has had having',
  'do does did done doing',
  'go goes went gone going',
  'begin began begun',
  'break broke broken',
  'bring brought',
  'build built',
  'buy bought',
  'catch caught',
  'choose chose chosen choice',
  'come came',
  'decide decision',
  'draw drew drawn',
  'drink drank drunk',
  'drive drove driven',
  'eat ate eaten',
  'fall fell fallen',
  'feel felt',
  'fight fought',
  'find found',
  'fly flew flown flight',
  'forget forgot forgotten',
  'get got gotten',
  'give gave given gift',
  'grow grew grown growth',
  'hear heard',
  'hold held',
  'keep kept',
  'know knew known knowledge',
  'lead led',
  'lose lost loss',
  'make made',
  'marry married marriage',
  'mean meant',
  'meet met meeting',
  'pay paid payment',
  'read reading',
  'ride rode ridden',
  'run ran',
  'say said',
  'see saw seen',
  'sell sold sale',
  'send sent',
  'sing sang sung song',
  'sit sat',
  'sleep slept',
  'speak spoke spoken speech',
  'spend spent',
  'stand stood',
  'steal stole stolen',
  'swim swam swum',
  'take took taken',
  'teach taught',
  'tell told',
  'think thought',
  'throw threw thrown',
  'wear wore worn',
  'win won',
  'write wrote written',
  'child children kid kids',
  'person people',
  'man men',
  'woman women',
  'foot feet',
  'tooth teeth',
  'mouse mice',
  'wife wives',
  'mother mom mum mommy',
  'father dad daddy',
  'grandmother grandma',
  'grandfather grandpa',
  'movie film',
  'picture photo photograph pic',
  'bicycle bike',
  'television tv',
  'administrator admin',
  'application app',
  'argument arg args',
  'authentication auth authenticate',
  'configuration config configure',
  'continuous-integration ci',
  'database db',
  'delete remove removal deletion',
  'dependency dep deps',
  'development dev',
  'directory dir folder',
  'documentation docs doc',
  'environment env',
  'error err',
  'fix fixed bugfix',
  'function func fn',
  'javascript js',
  'kubernetes k8s',
  'message msg',
  'number num',
  'package pkg',
  'parameter param params',
  'postgres postgresql pg',
  'production prod',
  'python py',
  'reference ref refs',
  'repository repo',
  'request req',
  'response resp',
  'specification spec',
  'temporary temp tmp',
  'typescript ts',
  'utility util utils',
  'variable var vars',
  'version ver',
];

let firsts: Map<string, string> | undefined;

function mapToFirsts(): Map<string, string> {
  firsts ??= new Map(
    ROWS.flatMap((row) => {
      const [first = '', ...others] = row.split(' ');
      return others.map((other): [string, string] => [other, first]);
    }),
  );
  return firsts;
}

/** The first word of this word's row; undefined for the first of a row and for any other word. */
export function findSynonym(word: string): string | undefined {
  return mapToFirsts().get(word);
}

/** All words whose indexed form has another beginning. */
export function listSynonyms(): string[] {
  return [...mapToFirsts().keys()];
}
