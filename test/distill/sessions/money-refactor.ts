import { callsIn, say, together } from '../calls.ts';
import type { DistillSession } from '../session.ts';

/** Places that print a price: module, function, what it prints, the field it prints. */
const PLACES: [module: string, name: string, label: string, field: string][] = [
  ['billing/invoice-line', 'invoiceLine', 'Line', 'net'],
  ['billing/invoice-total', 'invoiceTotal', 'Total', 'gross'],
  ['billing/credit-note', 'creditNote', 'Credit', 'credited'],
  ['billing/dunning-fee', 'dunningFee', 'Reminder fee', 'fee'],
  ['billing/vat-row', 'vatRow', 'VAT', 'vat'],
  ['cart/cart-line', 'cartLine', 'Item', 'price'],
  ['cart/cart-total', 'cartTotal', 'Cart', 'sum'],
  ['cart/free-shipping', 'freeShipping', 'Free shipping from', 'threshold'],
  ['cart/voucher', 'voucherRow', 'Voucher', 'value'],
  ['catalog/price-tag', 'priceTag', 'Price', 'price'],
  ['catalog/unit-price', 'unitPrice', 'Per kilo', 'perKilo'],
  ['catalog/old-price', 'oldPrice', 'Before', 'before'],
  ['catalog/deposit', 'depositRow', 'Deposit', 'deposit'],
  ['checkout/summary', 'checkoutSummary', 'To pay', 'due'],
  ['checkout/shipping', 'shippingRow', 'Shipping', 'cost'],
  ['checkout/instalment', 'instalmentRow', 'Monthly', 'rate'],
  ['mail/order-mail', 'orderMail', 'Your order', 'gross'],
  ['mail/refund-mail', 'refundMail', 'Your refund', 'refunded'],
  ['reports/daily-sales', 'dailySales', 'Sales', 'sales'],
  ['reports/average-basket', 'averageBasket', 'Average', 'average'],
  ['reports/open-items', 'openItems', 'Open', 'open'],
  ['account/balance', 'balanceRow', 'Balance', 'balance'],
];

const OLD_IMPORT = "import { formatPrice } from '../format/price.js';";
const NEW_IMPORT = "import { formatMoney } from '../money/format.js';";
const oldCall = (field: string) => `formatPrice(it.${field}, it.currency)`;
const newCall = (field: string) =>
  `formatMoney({ cents: Math.round(it.${field} * 100), currency: it.currency })`;

const MONEY = 'src/money/format.js';

export const moneyRefactor: DistillSession = {
  name: 'money refactor',
  about: 'One refactoring over two dozen files, with a decision about its shape.',
  long: true,
  files: {
    'package.json': '{ "name": "market", "private": true, "type": "module" }\n',
    'src/format/price.js': `/** 12.5, 'EUR' → '12.50 EUR' */
export function formatPrice(amount, currency) {
  return \`\${amount.toFixed(2)} \${currency}\`;
}
`,
    ...Object.fromEntries(
      PLACES.map(([module, name, label, field]) => [
        `src/${module}.js`,
        `${OLD_IMPORT}\n\nexport function ${name}(it) {\n  return \`${label}: \${${oldCall(field)}}\`;\n}\n`,
      ]),
    ),
    'test/prices.test.js': [
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';",
      ...PLACES.map(([module, name]) => `import { ${name} } from '../src/${module}.js';`),
      ...PLACES.map(
        ([, name, label, field]) =>
          `\ntest('${name}', () => {\n  assert.equal(${name}({ ${field}: 12.5, currency: 'EUR' }), '${label}: 12.50 EUR');\n});`,
      ),
      '',
    ].join('\n'),
  },
  prompts: [
    'formatPrice takes a float and a currency in two arguments and people keep swapping or forgetting them. introduce one money value and use it everywhere, behaviour must stay the same',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const file = (module: string) => `src/${module}.js`;
    return {
      main: [
        [
          say("I'll find all the places first."),
          run('grep -rln formatPrice src | sort', 'Files that use formatPrice', 'src/account/balance.js'),
          read('src/format/price.js'),
          run('node --test', 'Check that the tests are green before the change'),
        ],
        ...together(PLACES.map(([module]) => read(file(module)))),
        [
          say('22 callers, all of the same form. I create the new function.'),
          write(
            MONEY,
            `/** Money is \`{ cents, currency }\`, cents a whole number. */
export function formatMoney({ cents, currency }) {
  if (!Number.isInteger(cents)) throw new TypeError('cents must be a whole number');
  return \`\${(cents / 100).toFixed(2)} \${currency}\`;
}
`,
          ),
        ],
        ...PLACES.slice(0, 1).map(([module, , , field]) => [
          edit(file(module), OLD_IMPORT, NEW_IMPORT),
          edit(
            file(module),
            oldCall(field),
            newCall(field).replace('Math.round(it.net * 100)', 'it.net * 100.001'),
          ),
        ]),
        [
          say('Let me try the first one before I do the rest.'),
          fail('node --test', 'Run the tests after the first file', 'cents must be a whole number'),
        ],
        [
          say('A slip of mine: the amount has to be rounded to whole cents.'),
          edit(file('billing/invoice-line'), 'it.net * 100.001', 'Math.round(it.net * 100)'),
        ],
        ...together(
          PLACES.slice(1).flatMap(([module, , , field]) => [
            edit(file(module), OLD_IMPORT, NEW_IMPORT),
            edit(file(module), oldCall(field), newCall(field)),
          ]),
          6,
        ),
        [
          say('Nothing should use the old function now.'),
          run('grep -rn formatPrice src --include=*.js | grep -v src/format', 'Look for leftovers'),
          run('git rm -q src/format/price.js && node --test', 'Remove the old function and run all tests'),
        ],
        [
          say(`All 22 callers of \`formatPrice(amount, currency)\` now use \`formatMoney({ cents, currency })\` from \`${MONEY}\`, and \`src/format/price.js\` is gone. All 22 tests pass unchanged.

**Decision:** money is a plain object \`{ cents, currency }\` rather than a \`Money\` class, because these values travel to the browser as JSON and a class would lose its methods on the way. Cents are whole numbers; \`formatMoney\` throws a \`TypeError\` otherwise, so a forgotten conversion fails at once instead of printing a wrong price.

**What's left:** the callers still get floats from the database and convert with \`Math.round(x * 100)\` themselves. Moving that conversion into the repositories is the next step; I did not touch them.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'refactor',
        says: ['formatPrice', 'formatMoney', /22|callers|everywhere/],
        files: [MONEY, 'src/billing/invoice-line.js', 'src/account/balance.js', 'src/mail/refund-mail.js'],
        prompt: 1,
      },
      { type: 'decision', says: [/\{ cents, currency \}|plain object/, 'class', 'JSON'], prompt: 1 },
    ],
    niceToHave: [{ type: ['gotcha', 'decision', 'discovery'], says: ['TypeError', /whole number/] }],
    summaries: [
      {
        prompt: 1,
        request: ['formatPrice'],
        completed: ['formatMoney'],
        nextSteps: [/repositories|database/],
        filesRead: ['src/format/price.js', 'src/cart/voucher.js'],
        filesModified: [MONEY, 'src/reports/open-items.js', 'src/checkout/summary.js'],
      },
    ],
    noise: ['A slip of mine', '100.001', 'try the first one', 'all of the same form', 'it.perKilo'],
  },
};
