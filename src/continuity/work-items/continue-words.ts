/** Stemmed words of a prompt that asks to continue without a subject. */
export const CONTINUE_WORDS: ReadonlySet<string> = new Set(
  (
    'continu proceed resum go ahead keep carri next pick left leav back rest remain ' +
    'weiter weitermachen mach fortfahren fortsetzen fortsetz setz fort fahr ' +
    'suit poursui reprend reprendr sigu seguir continua continuar adelant продолжай продолжи дальше'
  ).split(' '),
);

/** Words that may accompany them without adding a subject. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  (
    'work plan task todo step handoff hand session stop last yesterdai todai time thing finish start list point ' +
    'wir wo aufgehort haben bitt mal dem der den mit le la el con'
  ).split(' '),
);
