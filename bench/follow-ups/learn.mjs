const STEPS = 300;
const RATE = 0.3;
const DECAY = { order: 0.005, likelihood: 0.001 };
/** General tasks are many here and easily told. */
const WEIGHTS = { question: 1, unrelated: 1, task: 0.3, questions: 1 };

/** Weights that put a claim which answers first, for as many questions as possible: listwise softmax. */
export function learnOrder(questions, names) {
  const lists = questions
    .filter(({ claims }) => claims.some(({ isRight }) => isRight))
    .map(({ claims, nameAt }) =>
      toMatrix(
        claims,
        names.map((name) => nameAt[name]),
      ),
    );
  const weights = descend(names.length, DECAY.order, (current, slopes) => {
    for (const { values, right, count, worths } of lists) {
      let most = -Infinity;
      for (let row = 0; row < count; row++) {
        let worth = 0;
        for (let at = 0; at < names.length; at++) worth += current[at] * values[row * names.length + at];
        worths[row] = worth;
        if (worth > most) most = worth;
      }
      let total = 0;
      let totalRight = 0;
      for (let row = 0; row < count; row++) {
        worths[row] = Math.exp(worths[row] - most);
        total += worths[row];
        if (right[row]) totalRight += worths[row];
      }
      for (let row = 0; row < count; row++) {
        const error = (worths[row] / total - (right[row] ? worths[row] / totalRight : 0)) / lists.length;
        if (Math.abs(error) < 1e-6) continue;
        for (let at = 0; at < names.length; at++) slopes[at] += error * values[row * names.length + at];
      }
    }
  });
  return toTable(names, weights);
}

function toMatrix(claims, places) {
  const values = new Float64Array(claims.length * places.length);
  for (const [row, claim] of claims.entries())
    for (const [at, place] of places.entries()) values[row * places.length + at] = claim.values[place];
  return {
    values,
    right: claims.map(({ isRight }) => isRight),
    count: claims.length,
    worths: new Float64Array(claims.length),
  };
}

/** Logistic regression. Questions that the claims given would not answer teach nothing. */
export function learnLikelihood(prompts, names) {
  const taught = prompts.filter(({ kind, isRight }) => kind !== 'question' || isRight);
  const weightOf = ({ kind }) => WEIGHTS[kind];
  const all = taught.reduce((sum, each) => sum + weightOf(each), 0);
  const columns = ['constant', ...names];
  const rows = taught.map((each) => ({
    values: Float64Array.from(columns, (name) => (name === 'constant' ? 1 : each.signals[name])),
    isRight: Number(each.kind === 'question'),
    weight: weightOf(each) / all,
  }));
  const weights = descend(columns.length, DECAY.likelihood, (current, slopes) => {
    for (const { values, isRight, weight } of rows) {
      let total = 0;
      for (let at = 0; at < values.length; at++) total += current[at] * values[at];
      const error = weight * (1 / (1 + Math.exp(-total)) - isRight);
      for (let at = 0; at < values.length; at++) slopes[at] += error * values[at];
    }
  });
  const table = toTable(columns, weights);
  const estimate = (signals) => {
    let total = table.constant;
    for (const name of names) total += table[name] * signals[name];
    return 1 / (1 + Math.exp(-total));
  };
  return { weights: table, estimate };
}

/** Gradient descent with a step for each weight that shrinks as it is used. */
function descend(count, decay, addSlopes) {
  const weights = new Float64Array(count);
  const squares = new Float64Array(count).fill(1e-8);
  for (let step = 0; step < STEPS; step++) {
    const slopes = Float64Array.from(weights, (weight) => decay * weight);
    addSlopes(weights, slopes);
    for (let at = 0; at < count; at++) {
      squares[at] += slopes[at] ** 2;
      weights[at] -= (RATE * slopes[at]) / Math.sqrt(squares[at]);
    }
  }
  return weights;
}

function toTable(names, weights) {
  return Object.fromEntries(names.map((name, at) => [name, Number(weights[at].toFixed(2))]));
}
