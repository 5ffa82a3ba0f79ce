import { describe, expect, test } from 'vitest';
import { edited, failed, ran, turnOf } from '../../../../test/support/made-up-turn.ts';
import type { Turn } from '../../turn.ts';
import { distillOffline, explainTurn } from '../distill.ts';

const explain = (parts: Parameters<typeof turnOf>[0]) => explainTurn(turnOf(parts));
const keptOf = (parts: Parameters<typeof turnOf>[0]) =>
  explain(parts).claims.map(({ statement }) => statement);
const whyDropped = (parts: Parameters<typeof turnOf>[0], text: string) =>
  explain(parts).dropped.find((each) => each.text === text)?.why;

describe('what the person says', () => {
  test.each([
    ['a rule', 'fix the import. btw we never mock the database in integration tests'],
    ['a rule without a verb', 'bitte die Route ergänzen. Commits bei uns immer mit Ticketnummer vorne'],
    ['a correction', 'no, use pnpm here, npm writes a second lock file'],
    [
      'a reason',
      'leave the numbering. accounting imports these files every month and we cannot change their script',
    ],
    ['日本語', 'CSV 出力を追加。金額は必ず整数の銭で持つこと、float は絶対に使わないでください'],
    ['中文', '加个导出。不要引新依赖，要加包先问我一声'],
    ['русский', 'глянь MR. деньги у нас только int в копейках, float в ревью не пропускаем'],
    ['한국어', '버그 좀 봐줘. 우리 팀은 마이그레이션을 절대 수동으로 실행하지 않습니다'],
    ['日本語、名前の決まり', 'クラスを分けて。新しいクラスに Manager や Helper って名前は付けないこと'],
    [
      'a file nobody may edit',
      'is that amp? golden_metrics.json is off limits, nobody edits it to get a test green',
    ],
    ['français', 'ajoute la page. chez nous on ne commit jamais sur main, toujours une branche'],
    ['português', 'corrige o relatório. aqui a gente nunca usa float pra dinheiro, sempre centavos'],
  ])('is kept: %s', (_name, prompt) => {
    expect(keptOf({ prompt }).length).toBe(1);
  });

  test.each([
    ['a request', 'please fix the failing login test'],
    ['a question', 'why does the importer take so long?'],
    ['thanks', 'perfect, thanks a lot!'],
    ['an instruction for now', 'have a look. only look, change nothing'],
    ['a complaint', 'the booking test always fails on my laptop'],
    ['polski, tylko teraz', 'Znajdź przyczynę, na razie nic nie poprawiaj'],
    ['never mind', 'show the direction too. ah no, never mind, leave it'],
  ])('is not kept: %s', (_name, prompt) => {
    expect(keptOf({ prompt })).toEqual([]);
  });

  test('a rule is told with the short sentence after it, and a short refusal with its reason', () => {
    const rule = 'fix it. never run the whole scheme, the UI tests take 40 minutes. Only WidgetTests.';
    expect(keptOf({ prompt: rule })).toContain('Only WidgetTests.');
    const earlierWords = 'The quick fix is `weights_only=False`. Shall I?';
    const prompt = 'No weights_only=False please. Partners send us checkpoints, a pickle is code execution';
    const { observations } = distillOffline(turnOf({ prompt, earlierWords }));
    expect(observations.map(({ facts, title }) => [title, ...facts].join(' '))).toEqual([
      expect.stringMatching(/weights_only.*code execution/),
    ]);
  });

  test('an answer to a question of the agent is kept', () => {
    const earlierWords = 'Two ways are open. Shall audit rows survive a failed invoice?';
    const prompt = 'no, gone with the invoice. the auditors signed off on exactly that in march';
    expect(keptOf({ prompt, earlierWords })).toContain('Gone with the invoice.');
  });

  test.each([
    [
      'an order with its reason',
      'please take the scheduler out again. we run two nodes and it fires on both, because neither knows the other',
      'take the scheduler out again. we run two nodes and it fires on both, because neither knows the other.',
    ],
    [
      'a rule with which it begins',
      'and no mocks for our own modules in the integration tests, the adapter is enough',
      'no mocks for our own modules in the integration tests, the adapter is enough.',
    ],
    [
      'an order after a courtesy',
      'すみません、やっぱり SharedPreferences はやめてください。1 棚で 8000 件スキャンするので重すぎます',
      ['やっぱり SharedPreferences はやめてください。', '1 棚で 8000 件スキャンするので重すぎます。'],
    ],
  ])('of a later prompt is kept: %s', (_name, prompt, expected) => {
    expect(keptOf({ prompt, earlierWords: 'I added the scheduler.' })).toEqual([expected].flat());
  });
});

describe('what the agent says', () => {
  const closing = (closingWords: string): Partial<Turn> => ({ prompt: 'look into it', closingWords });

  test.each([
    ['a cause', 'The pods died because the liveness probe asks the database.'],
    ['a limit', 'The replica cancels statements after 15 s.'],
    ['a trap', 'Never pass values with `--set`: the next upgrade drops them.'],
    ['a choice', 'I kept the token bucket rather than a fixed window, since that allows bursts of 120.'],
    ['Deutsch', 'Der Mailserver liefert das alte Zertifikat, weil certbot Hooks ohne x-Bit überspringt.'],
    [
      'español',
      'La clave del bloqueo lleva la hora local, así que los dos procesos no chocan nunca en Redis.',
    ],
    ['polski', 'Import gubi wiersze, ponieważ `float()` zmienia numery takie jak 12E3.'],
    [
      'a language without a list',
      'Servern startar inte förrän `DATABASE_URL` pekar på port 5433 i `docker-compose.yml`.',
    ],
  ])('is kept at the end: %s', (_name, text) => {
    expect(keptOf(closing(text))).toEqual([text.replaceAll('`', '')]);
  });

  test.each([
    ['an offer', 'Let me know if you want the `port` configurable!', 'an offer'],
    ['eine Frage', 'Soll ich auch `docs/setup.md` anpassen?', 'an offer'],
    ['an outcome', 'All 212 tests pass.', 'the tool calls show it'],
    ['an offer after a version', 'If you need anything else, just shout.', 'an offer'],
    ['質問', '`port` の設定は env か config か、どちらにしますか。', 'a question'],
    ['问题', '要把 `port` 也改掉吗。', 'a question'],
    ['oferta', 'Gdybyś chciał, mogę poprawić `port` przy następnej okazji.', 'an offer'],
    ['praise', 'Perfect!', 'only courtesy'],
    ['さようなら', 'お疲れさまでした！', 'only courtesy'],
  ])('is not kept: %s', (_name, text, why) => {
    const words = `The port was 8080 because \`PORT\` was unset.\n\n${text}`;
    expect(whyDropped(closing(words), text.replaceAll('`', ''))).toBe(why);
  });

  test('between its calls a diagnosis is kept, and what it does next is not', () => {
    const diagnosis = 'The exit code was swallowed by the pipe, so the upgrade to 4.2 never happened.';
    const parts = {
      prompt: 'upgrade it',
      calls: [failed('npm test', 'red'), ran('ls')],
      said: [{ text: `${diagnosis} Let me look at the log.`, place: 1 }],
    };
    expect(keptOf(parts)).toEqual([diagnosis]);
    expect(whyDropped(parts, 'Let me look at the log.')).toBe('says what the agent does next');
  });

  test('what it is about to find out, or hands on, is not kept', () => {
    const text =
      'Before I call it a bug I need to know where `Pool` runs, so I am handing that search to a subagent.';
    expect(keptOf({ prompt: 'review it', calls: [ran('ls')], said: [{ text, place: 0 }] })).toEqual([]);
  });

  test('a turn that was stopped keeps what the agent said last', () => {
    const text = 'The firewall role lists no UDP 123.';
    const parts = {
      prompt: 'find it',
      calls: [ran('ls'), ran('ls')],
      said: [{ text: `${text} Checking.`, place: 1 }],
    };
    expect(keptOf({ ...parts, closingWords: '' })).toEqual([text]);
    expect(keptOf({ ...parts, closingWords: 'Done.' })).toEqual([]);
  });

  test('a sentence that points back takes the one before it along', () => {
    expect(
      keptOf(
        closing('`read_line` loses its partial line when the tick wins. That is why it started with 0.9.'),
      ),
    ).toContain(
      '`read_line` loses its partial line when the tick wins. That is why it started with 0.9.'.replaceAll(
        '`',
        '',
      ),
    );
  });

  test('a sentence that points at nothing is dropped', () => {
    expect(keptOf(closing('That is what I got wrong at first, because it was late.'))).toEqual([]);
  });

  test('what is said twice is kept once, from the closing words', () => {
    const text = 'The lock key holds the local time because each container has its own zone.';
    const { claims } = explain({
      prompt: 'why?',
      closingWords: text,
      calls: [ran('ls')],
      said: [{ text, place: 0 }],
    });
    expect(claims.map(({ from }) => from)).toEqual(['closing']);
  });
});

describe('topics', () => {
  const typesOf = (parts: Parameters<typeof turnOf>[0]) =>
    distillOffline(turnOf(parts)).observations.map(({ type }) => type);

  test('the commit says what kind of work it was', () => {
    const calls = [edited('src/a.ts', 'a', 'b'), ran('git commit -m "refactor(a): split the parser"')];
    expect(typesOf({ prompt: 'go on', calls })).toEqual(['refactor']);
  });

  test('a rule, a choice and the work are three memories', () => {
    const parts = {
      prompt: 'add a limit of 60 requests a minute. and we never add dependencies for such things',
      calls: [edited('src/limit.ts', 'a', 'b')],
      closingWords: `\`limit()\` in \`src/limit.ts\` now answers 429 above 60 requests a minute.

I went with a token bucket rather than a fixed window, because a window lets 120 requests through at its edge.`,
    };
    expect(typesOf(parts).sort()).toEqual(['decision', 'feature', 'preference']);
  });

  test('an experiment on a copy is not a change', () => {
    const calls = [ran("cd ../copy && sed -i 's/a/b/' src/a.ts")];
    const closingWords =
      'With the patch on a copy all 200 requests went through, so `Take` truncates the fraction.';
    expect(distillOffline(turnOf({ prompt: 'review it', calls, closingWords })).observations).toMatchObject([
      { type: 'discovery', filesModified: [] },
    ]);
  });

  test('an install behind a pipe proves nothing', () => {
    const calls = [ran('npm install nanoid | head -3', 'npm error code E404')];
    expect(distillOffline(turnOf({ prompt: 'add nanoid', calls })).observations).toEqual([]);
  });

  test('edits of an agent that says nothing are kept as they are', () => {
    const calls = [edited('src/users.ts', 'getUser', 'findUser')];
    const [observation] = distillOffline(
      turnOf({ prompt: 'rename getUser to findUser', calls }),
    ).observations;
    expect(observation).toMatchObject({ type: 'refactor', title: 'Rename getUser to findUser' });
    expect(observation?.facts.join()).toContain('findUser');
  });
});

describe('what takes leave at the end, in languages without a list of such words', () => {
  const work = '`retry()` in `src/queue.ts` now waits 45 s.';
  const calls = [edited('src/queue.ts', '30', '45')];

  test.each([
    ['čeština', 'Teď to celé vypadá mnohem čistěji a přehledněji.'],
    ['svenska', 'Säg till om du vill att jag fixar resten också.'],
    ['ελληνικά', 'Αν χρειαστείς κάτι άλλο, πες μου οποιαδήποτε στιγμή.'],
    ['עברית', 'עכשיו הכול נראה הרבה יותר נקי ומסודר.'],
    ['العربية', 'إذا احتجت إلى أي شيء آخر فأخبرني في أي وقت.'],
    ['हिन्दी', 'कुछ और चाहिए हो तो कभी भी बता दीजिएगा।'],
    ['Tiếng Việt', 'Nếu bạn cần gì thêm cứ nói với tôi nhé.'],
    ['日本語', 'これで全体がとてもすっきりして見やすくなりました。'],
    ['Deutsch', 'Jetzt ist alles deutlich aufgeräumter und man findet sich viel besser zurecht.'],
    ['English', 'The whole thing reads so much nicer now and should be a joy to maintain.'],
  ])('%s', (_name, leave) => {
    for (const closingWords of [`${work} ${leave}`, `${work}\n\n${leave}`])
      expect(keptOf({ calls, closingWords })).toEqual([work.replaceAll('`', '')]);
  });

  test('a last sentence about the work stays', () => {
    const last = 'The retry queue should never be emptied by hand.';
    expect(
      keptOf({ prompt: 'the retry queue is too quick', calls, closingWords: `${work} ${last}` }),
    ).toContain(last);
  });
});

describe('what must not read as a fact', () => {
  test('what is laid out to choose from is an option', () => {
    const closingWords = `Two ways:

- Roll the collector back to 2.6.4, but that loses the tenant field.
- Let the server batch with async_insert, which needs no release.

Which one do you want?`;
    expect(keptOf({ closingWords })).toEqual([
      'Option: Roll the collector back to 2.6.4, but that loses the tenant field.',
      'Option: Let the server batch with async_insert, which needs no release.',
    ]);
  });

  test('what the person thinks better of in the same prompt is dropped', () => {
    const prompt =
      'commit it. pin it below 2.1, not an exact ==, otherwise dependabot nags. actually no wait, security scans the lock file and wants exact versions, so leave ==';
    expect(keptOf({ prompt })).toEqual([
      expect.stringContaining('security scans the lock file and wants exact versions, so leave =='),
    ]);
  });

  test('a comment before the colon is left out', () => {
    const said = [
      { text: 'As I feared: `INCR` and `EXPIRE` are two commands, so a key may stay without TTL.', place: 0 },
    ];
    expect(keptOf({ said })).toEqual(['INCR and EXPIRE are two commands, so a key may stay without TTL.']);
  });
});
