const STEPS = 4_000;
const DECAY = 0.0005;

/** Logistic regression by gradient descent, with a step for each weight that shrinks as it is used. */
export function learn(examples) {
  const all = examples.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const names = Object.keys(examples[0].signs);
  const weights = Object.fromEntries(names.map((name) => [name, 0]));
  const squares = Object.fromEntries(names.map((name) => [name, 1e-8]));
  for (let step = 0; step < STEPS; step++) {
    const slopes = Object.fromEntries(
      names.map((name) => [name, name === 'constant' ? 0 : DECAY * weights[name]]),
    );
    for (const { signs, isRight, weight = 1 } of examples) {
      const sum = names.reduce((total, name) => total + weights[name] * signs[name], 0);
      const error = (weight * (1 / (1 + Math.exp(-sum)) - Number(isRight))) / all;
      for (const name of names) slopes[name] += error * signs[name];
    }
    for (const name of names) {
      squares[name] += slopes[name] ** 2;
      weights[name] -= (0.5 * slopes[name]) / Math.sqrt(squares[name]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, Number(weights[name].toFixed(2))]));
}
