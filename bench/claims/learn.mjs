/** Each step is smaller where many were made before. */
const STEPS = 150;
const FIRST_STEP = 0.5;
const SMALLEST = 1e-3;
/** Pulls weights without need towards zero, so that few examples teach little. */
const PULL = 1;
const SECOND_BEST = 0.6;

/**
 * The weights of signs with which the most likely kind of an example is mostly one of those accepted for it: several
 * may be right, and the first of them fits best. An example is `{ signs, accepted, possible, weight }`.
 */
export function learnSigns(examples, signs, kinds) {
  const rows = examples.map(({ signs: found, accepted, possible, weight }) => ({
    at: signs.flatMap((sign, index) => (found[sign] ? [index * kinds.length] : [])),
    accepted: kinds.map((kind) => weighAccepted(accepted.indexOf(kind))),
    possible: kinds.map((kind) => possible.includes(kind)),
    weight,
  }));
  const size = signs.length * kinds.length;
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(SMALLEST);
  for (let step = 0; step < STEPS; step++) {
    const slope = slopeOf(rows, weights, kinds.length);
    for (let at = 0; at < size; at++) {
      const change = slope[at] - PULL * weights[at];
      squares[at] += change * change;
      weights[at] += (FIRST_STEP * change) / Math.sqrt(squares[at]);
    }
  }
  return asTable(weights, signs, kinds);
}

/** The first counts more: where several are accepted, this one was thought of first. */
function weighAccepted(place) {
  if (place < 0) return 0;
  return place === 0 ? 1 : SECOND_BEST;
}

/** In which direction each weight makes the accepted kinds more likely. */
function slopeOf(rows, weights, count) {
  const slope = new Float64Array(weights.length);
  for (const { at, accepted, possible, weight } of rows) {
    const likely = likelihoods(at, weights, possible, count);
    const right = likely.reduce((sum, each, kind) => sum + each * accepted[kind], 0) || SMALLEST;
    for (let kind = 0; kind < count; kind++) {
      const change = weight * ((accepted[kind] * likely[kind]) / right - likely[kind]);
      for (const start of at) slope[start + kind] += change;
    }
  }
  return slope;
}

function likelihoods(at, weights, possible, count) {
  const sums = Array.from({ length: count }, (_, kind) =>
    possible[kind] ? at.reduce((sum, start) => sum + weights[start + kind], 0) : -Infinity,
  );
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / whole);
}

/** With one decimal, and without what hardly counts: the table is read by people. */
function asTable(weights, signs, kinds) {
  const round = (weight) => Math.round(weight * 10) / 10;
  return Object.fromEntries(
    signs.map((sign, index) => [
      sign,
      Object.fromEntries(
        kinds
          .map((kind, at) => [kind, round(weights[index * kinds.length + at])])
          .filter(([, weight]) => Math.abs(weight) >= 0.2),
      ),
    ]),
  );
}
