/** Words, as the index has them, of somebody who wants to go on and does not say with what. */
export const GOING_ON: ReadonlySet<string> = new Set(
  (
    'continu proceed resum go ahead keep carri next pick left leav back rest remain ' +
    'weiter weitermachen mach fortfahren fortsetzen fortsetz setz fort fahr ' +
    'suit poursui reprend reprendr sigu seguir continua continuar adelant продолжай продолжи дальше'
  ).split(' '),
);

/** What they may say it of without saying what it is. */
export const OF_ANY_WORK: ReadonlySet<string> = new Set(
  (
    'work plan task todo step handoff hand session stop last yesterdai todai time thing finish start list point ' +
    'wir wo aufgehort haben bitt mal dem der den mit le la el con'
  ).split(' '),
);
