import { loadProduct } from './product.mjs';
import { whole } from './table.mjs';

const LENGTHS = [8, 50, 100, 200, 400];
const ROUNDS = 30;
const MOST_TOKENS = 4_000;
/** A prompt, eight small edits and the end take ten calls and 39,500 tokens in claude-mem 13.25.3, measured alike. */
const INCUMBENT_TOKENS = 39_500;

/** The cost of one turn: the time without a model, and the size of the one prompt with a model. */
export async function measure() {
  const product = await loadProduct();
  const rows = LENGTHS.map((calls) => {
    const turn = calls === 8 ? product.eightSmallEdits() : product.longTurn(calls);
    const ms = medianOf(ROUNDS, () => product.distillOffline(turn));
    const tokens = promptTokens(product, turn);
    return { calls, ms, tokens };
  });
  const [first] = rows;
  return {
    title: 'Distilling a turn',
    columns: ['calls in the turn', 'offline', 'turns/s', 'prompt tokens', 'tokens a call', 'target'],
    rows: rows.map(({ calls, ms, tokens }) => ({
      cells: [
        calls === 8 ? '8 small edits' : whole(calls),
        `${ms.toFixed(2)} ms`,
        whole(1_000 / ms),
        whole(tokens),
        whole(tokens / calls),
        calls === 8 ? (tokens <= MOST_TOKENS ? 'met' : 'above target') : '',
      ],
      figures: { calls, ms, tokens },
    })),
    notes: [
      `Target: at most ${whole(MOST_TOKENS)} tokens for eight small edits, in one call; the incumbent takes ten calls and about ${whole(INCUMBENT_TOKENS)}: ${(INCUMBENT_TOKENS / first.tokens).toFixed(0)} ×.`,
      'Tokens are counted as Cairn counts them when it stores a memory; the digest is bounded, so a long turn costs less a call.',
    ],
  };
}

function promptTokens(product, turn) {
  const { digestTurn, readFindings, loadInstructions, ANSWER_SCHEMA, countTokens } = product;
  const { system } = loadInstructions('/nowhere', { mode: 'code', language: '' });
  return countTokens(`${system}\n${JSON.stringify(ANSWER_SCHEMA)}\n${digestTurn(turn, readFindings(turn))}`);
}

function medianOf(rounds, work) {
  const times = Array.from({ length: rounds }, () => {
    const began = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - began) / 1e6;
  });
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}
