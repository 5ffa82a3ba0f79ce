import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const JAVA = 'src/main/java/ru/kvartal/auth';
const SERVICE = `${JAVA}/SmsCodeService.java`;
const LIMIT = `${JAVA}/SmsLimit.java`;
const GATEWAY = `${JAVA}/SmsGateway.java`;
const TEST = 'src/test/java/ru/kvartal/auth/SmsLimitTest.java';
const SETTINGS = 'src/main/resources/application.yml';

const MVN = `#!/bin/sh
# Stands in for mvn: judges the code of the SMS login by its text.
case "$*" in
  *verify*)
    mkdir -p target
    echo "[INFO] Running ru.kvartal.auth.SmsGatewayIT" | tee target/it.log
    sleep 25; echo "[INFO] BUILD SUCCESS"; exit 0 ;;
  *test*) ;;
  *) echo "[ERROR] Unknown lifecycle phase"; exit 1 ;;
esac
[ -f ${TEST} ] || { echo "[INFO] Tests run: 141, Failures: 0, Errors: 0"; exit 0; }
if ! grep -q "== 1" ${LIMIT}; then
  echo "[ERROR] SmsLimitTest.dailyWindowEndsADayAfterTheFirstCode expected: <86400> but was: <172740>"
  echo "[ERROR] Tests run: 146, Failures: 1, Errors: 0"; exit 1
fi
if grep -q callCentre ${TEST}; then
  grep -q unlimited ${LIMIT} || { echo "[ERROR] SmsLimitTest.callCentreIsNotLimited"; echo "[ERROR] Tests run: 148, Failures: 1, Errors: 0"; exit 1; }
  echo "[INFO] Tests run: 148, Failures: 0, Errors: 0"; exit 0
fi
echo "[INFO] Tests run: 146, Failures: 0, Errors: 0"
`;

const testCase = (name: string, body: string) => `    @Test
    void ${name}() {
        ${body}
    }
`;

export const smsLimitRu: SurveySession = {
  name: 'sms limit ru',
  about:
    'Ограничение на отправку СМС-кодов; человек прерывает mvn verify, потому что тот шлёт настоящие сообщения.',
  kind: 'feature',
  language: 'ru',
  ecosystem: 'java',
  files: {
    'pom.xml':
      '<project>\n  <groupId>ru.kvartal</groupId>\n  <artifactId>lk-zhiltsa</artifactId>\n</project>\n',
    [SERVICE]: `package ru.kvartal.auth;

@Service
public class SmsCodeService {
    private final SmsGateway gateway;
    private final CodeStore codes;

    public void send(String phone) {
        String code = codes.issue(phone);
        gateway.send(phone, "Код для входа: " + code);
    }
}
`,
    [GATEWAY]: `package ru.kvartal.auth;

@Component
public class SmsGateway {
    public void send(String phone, String text) {
        URI uri = uri("/send", phone, text);
        log.info("sms to {}", phone);
        log.debug("GET {}", uri);
        http.send(uri);
    }
}
`,
    [SETTINGS]: `spring:
  data:
    redis:
      host: redis
  session:
    store-type: redis
sms:
  url: https://sms.example.ru/v2
`,
    'deploy/values.yaml': 'replicas: 3\nimage: lk-zhiltsa\n',
  },
  programs: { mvn: MVN },
  prompts: [
    'надо ограничить отправку смс-кодов: не чаще раза в минуту на номер и не больше 5 в сутки. боты за выходные накрутили нам счёт на 40 тысяч. отвечать 429 с Retry-After',
    'стоп стоп!! verify не запускай никогда, там интеграционные тесты шлют настоящие смс через боевой шлюз, 4 рубля штука, и падают они бухгалтеру на телефон. только mvn test. verify гоняет CI ночью, у него заглушка',
    'ок. ещё два момента. номера в логах маскируй, можно оставить последние 4 цифры, это требование по 152-ФЗ. и у колл-центра один номер на всех, они через него входят за пенсионеров, его не ограничивать. только номер не в код, а в настройки',
  ],
  how: { cut: 'interrupted', when: 'target/it.log' },
  script: (dir) => {
    const { run, fail, cut, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Посмотрю, как коды отправляются сейчас и где можно держать счётчики.'),
          read(SERVICE),
          read(GATEWAY),
          read(SETTINGS),
          run('cat deploy/values.yaml', 'Сколько экземпляров в бою', 'replicas: 3'),
        ],
        [
          say(
            'Экземпляров три, поэтому счётчик в памяти (Bucket4j, Caffeine) пропустил бы втрое больше. Redis уже есть, в нём лежат сессии, счётчики положу туда же. Сутки считаю скользящие, 24 часа от первого кода, а не календарные: жильцы у нас от Калининграда до Камчатки, общей полуночи нет.',
          ),
          run('mvn -q test', 'Исходное состояние', 'Tests run: 141'),
        ],
        [
          write(
            LIMIT,
            `package ru.kvartal.auth;

@Component
public class SmsLimit {
    private static final String SCRIPT = """
        local n = redis.call('INCR', KEYS[1])
        redis.call('EXPIRE', KEYS[1], ARGV[1])
        return n
        """;

    /** How long to wait before the next code, zero if it may go now. */
    public Duration take(String phone) {
        if (!redis.opsForValue().setIfAbsent("sms:pause:" + phone, "1", Duration.ofSeconds(60)))
            return ttl("sms:pause:" + phone);
        long sent = redis.execute(SCRIPT, List.of("sms:day:" + phone), 86_400);
        return sent > 5 ? ttl("sms:day:" + phone) : Duration.ZERO;
    }
}
`,
          ),
          write(
            TEST,
            `package ru.kvartal.auth;

class SmsLimitTest {
${testCase('secondCodeWithinAMinuteWaits', 'limit.take(PHONE);\n        assertThat(limit.take(PHONE)).isPositive();')}${testCase('dailyWindowEndsADayAfterTheFirstCode', 'takeEvery(Duration.ofHours(6), 5);\n        assertThat(limit.take(PHONE)).isLessThan(Duration.ofDays(1));')}}
`,
          ),
          edit(
            SERVICE,
            '        String code',
            '        Duration wait = limit.take(phone);\n        if (!wait.isZero()) throw new TooManyCodes(wait);\n        String code',
          ),
          edit(
            SERVICE,
            '    private final CodeStore codes;\n',
            '    private final CodeStore codes;\n    private final SmsLimit limit;\n',
          ),
        ],
        [fail('mvn -q test', 'Тесты', 'expected: <86400> but was: <172740>')],
        [
          say(
            'Моя ошибка: EXPIRE вызывается при каждой попытке, и окно сдвигается. Кто упорно жмёт «отправить ещё раз», не разблокируется никогда. Срок надо ставить только первому коду.',
          ),
          edit(
            LIMIT,
            "        redis.call('EXPIRE', KEYS[1], ARGV[1])\n",
            "        if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end\n",
          ),
          run('mvn -q test', 'Тесты ещё раз', 'Tests run: 146, Failures: 0'),
        ],
        [
          say('Теперь полный прогон вместе с интеграционными тестами.'),
          cut('mvn verify', 'Полная сборка с интеграционными тестами'),
        ],
        [
          say('Понял, остановил. Проверю, сколько тестов успело начаться.'),
          run('cat target/it.log', 'Что успело запуститься', 'SmsGatewayIT'),
          run('mvn -q test', 'Только модульные тесты', 'Tests run: 146, Failures: 0'),
        ],
        [
          say(`Прошу прощения, \`mvn verify\` больше не запускаю, только \`mvn test\`. Успел начаться один класс, SmsGatewayIT, так что одно-два сообщения бухгалтер мог получить.

По задаче готово, 146 тестов зелёные:
- \`SmsLimit\` держит два ключа в Redis: паузу 60 секунд и суточный счётчик на 5 кодов. При отказе сервис бросает TooManyCodes, это 429 с Retry-After в секундах.
- INCR и EXPIRE идут одним скриптом Lua. Если делать их двумя командами и процесс упадёт между ними, ключ останется без срока, и номер будет заблокирован навсегда.
- EXPIRE ставится только при первом коде, иначе окно сдвигается с каждой попыткой.
- Попытка списывается до обращения к шлюзу. Если шлюз лежит, человек теряет попытку, зато бот не обойдёт лимит на ошибках.

Если Redis недоступен, вход по коду не работает вообще. Но тогда не работают и сессии, так что запасной путь я не делал.`),
        ],
        [
          read(LIMIT),
          read(TEST),
          read(GATEWAY),
          run(
            'grep -rn "log\\." src/main/java/ru/kvartal/auth',
            'Где номера попадают в логи',
            'log.debug("GET {}"',
          ),
        ],
        [
          say(
            'Номер есть не только в явной строке: debug печатает весь адрес запроса, а в нём и телефон, и сам код.',
          ),
          edit(GATEWAY, 'log.info("sms to {}", phone)', 'log.info("sms to {}", Phones.mask(phone))'),
          edit(GATEWAY, '        log.debug("GET {}", uri);\n', ''),
          write(
            `${JAVA}/Phones.java`,
            'package ru.kvartal.auth;\n\nfinal class Phones {\n    static String mask(String phone) {\n        return "*".repeat(phone.length() - 4) + phone.substring(phone.length() - 4);\n    }\n}\n',
          ),
          edit(
            TEST,
            '    @Test\n    void secondCodeWithinAMinuteWaits() {',
            '    @Test\n    void callCentreIsNotLimited() {\n        assertThat(limit.take(CALL_CENTRE)).isZero();\n        assertThat(limit.take(CALL_CENTRE)).isZero();\n    }\n\n    @Test\n    void secondCodeWithinAMinuteWaits() {',
          ),
          fail('mvn -q test', 'Новый тест должен упасть', 'callCentreIsNotLimited'),
        ],
        [
          edit(
            LIMIT,
            '        if (!redis.opsForValue()',
            '        if (settings.unlimited().contains(Phones.digits(phone))) return Duration.ZERO;\n        if (!redis.opsForValue()',
          ),
          edit(
            `${JAVA}/Phones.java`,
            '    static String mask',
            '    static String digits(String phone) {\n        return phone.replaceAll("\\\\D", "").replaceFirst("^8", "7");\n    }\n\n    static String mask',
          ),
          edit(
            SETTINGS,
            '  url: https://sms.example.ru/v2\n',
            '  url: https://sms.example.ru/v2\n  unlimited: ${SMS_UNLIMITED:}\n',
          ),
          run('mvn -q test', 'Тесты', 'Tests run: 148, Failures: 0'),
        ],
        [
          say(`Сделано, 148 тестов проходят.

**Логи.** Номер печатается через \`Phones.mask\`, видны последние 4 цифры. Строку debug с полным адресом я убрал совсем: шлюз принимает всё параметрами GET, и в лог уходили телефон и код входа.

**Колл-центр.** Номера без ограничений задаёт \`sms.unlimited\`, значение приходит из переменной SMS_UNLIMITED, через запятую. Сравниваются только цифры, причём 8 в начале приводится к 7: операторы набирают 8 800, а в базе лежит +7. В values.yaml переменную я не добавлял, номера я не знаю, это за вами. Пока она пуста, колл-центр ограничен, как все.

Если что-то ещё понадобится, пишите.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'gotcha'],
        says: [/verify/, /смс|сообщени/, /боевой|настоящие|mvn test/],
        prompt: 2,
      },
      {
        type: ['feature', 'preference', 'decision', 'change', 'how-it-works'],
        says: [/5 (в сутки|кодов)|на 5/, /минут|60 секунд/],
      },
      { type: ['decision', 'how-it-works', 'discovery'], says: [/Redis/, /тр[иё]|втрое|replicas/, /памят/] },
      { type: ['gotcha', 'decision', 'how-it-works'], says: [/Lua/, /EXPIRE/, /без срока|навсегда/] },
      { type: ['gotcha', 'bugfix', 'discovery'], says: [/EXPIRE/, /окно сдвигается|не разблокируется|перв/] },
      {
        type: ['preference', 'decision', 'feature', 'change'],
        says: [/лог/, /последние 4 цифры/, /152-ФЗ|маск|mask/],
      },
      {
        type: ['preference', 'decision', 'feature', 'change', 'gotcha'],
        says: [/колл-центр/, /огранич/, /настройк|unlimited/],
      },
      { type: ['decision'], says: [/24 часа|скользящ/, /Калининград|полуноч|календарн/] },
    ],
    niceToHave: [
      { type: ['decision', 'gotcha', 'how-it-works'], says: [/до обращения к шлюзу/] },
      { type: ['gotcha', 'bugfix', 'discovery', 'change'], says: [/debug/, /код/, /адрес|GET/] },
      { type: ['gotcha', 'how-it-works', 'decision'], says: [/цифры/, /8 в начале|8 800|\+7/] },
      { type: ['discovery', 'decision', 'feature', 'gotcha', 'preference'], says: [/бот/, /40 тысяч/] },
      { type: ['decision', 'gotcha'], says: [/Redis недоступен/, /запасной путь|сесси/] },
    ],
    summaries: [
      { prompt: 1, request: [/смс/, /сутки|минуту/], filesModified: [LIMIT, TEST, SERVICE] },
      { prompt: 2, request: [/verify/], completed: [/SmsLimit|429|146|mvn test/] },
      {
        prompt: 3,
        request: [/номер/, /колл-центр/],
        completed: [/mask|unlimited/],
        nextSteps: [/SMS_UNLIMITED|values\.yaml|переменную/],
        filesModified: [GATEWAY, LIMIT, SETTINGS, TEST],
      },
    ],
    noise: [
      'Посмотрю, как коды отправляются сейчас',
      'Теперь полный прогон вместе',
      'Если что-то ещё понадобится',
      'Прошу прощения',
      /^Понял, остановил/m,
      'Моя ошибка',
      'стоп стоп',
    ],
    untrue: [],
    followUps: [
      { asks: 'прогони перед мержем полную сборку со всеми тестами', says: [/verify/, /настоящие|боевой/] },
      {
        asks: 'хочу заменить счётчики отправки на обычный кэш внутри приложения, так проще тестировать',
        says: [/Redis/, /тр[иё]|втрое|replicas/],
      },
      {
        asks: 'человек жалуется, что ему уже неделю не приходит пароль для входа, что могло случиться с его записью?',
        says: [/EXPIRE/, /без срока|навсегда|сдвигается|не разблокируется/],
      },
      {
        asks: 'добавь в журнал строку, на какой телефон и что именно отправили',
        says: [/последние 4 цифры/, /лог/],
      },
      {
        asks: 'почему лимит не обнуляется в полночь по Москве?',
        says: [/24 часа|скользящ/, /Калининград|полуноч/],
      },
    ],
    unrelated: [
      'сделай в квитанции отдельную строку для капремонта',
      'чем record отличается от обычного класса в Java?',
      'на странице показаний счётчиков съехала вёрстка в мобильной версии, глянь',
    ],
  },
};
