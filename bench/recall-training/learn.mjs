// A small linear model, by gradient ascent. No randomness: the same data give the same weights.

/**
 * Weights under which what was meant stands before everything else that was found (listwise softmax). Where several
 * are meant, as the turns of a discussion, any of them will do: the others may be "yes" and "hm".
 * @param sets [{ weight, questions: [[{ features, isMeant }]], silent }]; of the features in `silent` a set tells nothing
 * @param fixed weights that these data cannot teach, by feature
 */
export function learnRanking(features, sets, fixed, { rounds = 120, rate = 0.2, decay = 0.002 } = {}) {
  const weights = Float64Array.from(features, (name) => fixed[name] ?? 0);
  const isFree = features.map((name) => !(name in fixed));
  const step = adaptive(features.length, rate);
  for (let round = 0; round < rounds; round++) {
    const slope = new Float64Array(features.length);
    for (const { weight, questions, silent = [] } of sets) {
      const part = new Float64Array(features.length);
      for (const found of questions) addSlope(part, found, weights, weight / questions.length);
      features.forEach((name, at) => {
        if (!silent.includes(name)) slope[at] += part[at];
      });
    }
    for (let at = 0; at < weights.length; at++)
      if (isFree[at]) weights[at] += step(at, slope[at] - decay * weights[at], round / rounds);
  }
  return Object.fromEntries(features.map((name, at) => [name, weights[at]]));
}

function addSlope(slope, found, weights, share) {
  const totals = found.map(({ features }) => dot(weights, features));
  const highest = Math.max(...totals);
  const powers = totals.map((total) => Math.exp(total - highest));
  const all = powers.reduce((sum, power) => sum + power, 0);
  const meant = powers.reduce((sum, power, index) => sum + (found[index].isMeant ? power : 0), 0);
  if (meant === 0) return;
  found.forEach(({ features, isMeant }, index) => {
    const error = (isMeant ? powers[index] / meant : 0) - powers[index] / all;
    if (Math.abs(error) < 1e-5) return;
    for (let at = 0; at < slope.length; at++) slope[at] += share * error * features[at];
  });
}

/** Steps as long as the last slopes allow, shorter towards the end. */
function adaptive(size, rate) {
  const squares = new Float64Array(size);
  return (at, slope, progress) => {
    squares[at] = 0.9 * squares[at] + 0.1 * slope * slope;
    return (rate * (1 - progress) * slope) / Math.sqrt(squares[at] + 1e-6);
  };
}

function dot(weights, values) {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += weights[at] * values[at];
  return sum;
}
