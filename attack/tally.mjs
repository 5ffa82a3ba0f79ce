/** The attempts and failures of one part. A count above zero in MUST_BE_ZERO fails the run. */
export const COUNTS = ['tried', 'accepted', 'lost', 'doubled', 'leaked', 'executed', 'hung', 'crashed'];
export const MUST_BE_ZERO = ['lost', 'doubled', 'executed', 'hung', 'crashed'];

const MOST_FINDINGS = 12;

export function createTally() {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0]));
  const findings = [];
  const notes = [];
  return {
    counts,
    findings,
    notes,
    count(name, by = 1) {
      counts[name] += by;
    },
    /** Counts a failure; the first few are printed. */
    fail(name, what, by = 1) {
      counts[name] += by;
      if (findings.length < MOST_FINDINGS) findings.push(`${name} (${by}): ${shorten(what)}`);
    },
    note(text) {
      notes.push(text);
    },
  };
}

export function hasFailed({ counts }) {
  return MUST_BE_ZERO.some((name) => counts[name] > 0);
}

/** Output of attacked programs may contain control characters, which must not reach the terminal. */
function shorten(text) {
  const printable = JSON.stringify(String(text)).slice(1, -1);
  return printable.length > 300 ? `${printable.slice(0, 300)} …` : printable;
}
