import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FIELD = 'lib/widgets/quantity_field.dart';
const DIGITS = 'lib/text/digits.dart';
const API = 'lib/api/orders.dart';
const TEST = 'test/digits_test.dart';
const PUBSPEC = 'pubspec.yaml';

const FLUTTER = `#!/bin/sh
# Stands in for flutter: runs the tests, or prints the analyzer's verdict.
case "$1" in
  analyze) echo "No issues found!"; exit 0 ;;
  test) ;;
  *) exit 2 ;;
esac
[ -f ${TEST} ] || { echo "+18: All tests passed!"; exit 0; }
if ! [ -f ${DIGITS} ]; then echo "Error: Error when reading '${DIGITS}': No such file"; exit 1; fi
if ! grep -q '06F0\\|0x6f0' ${DIGITS}; then
  echo "+20 -1: Persian digits from Kurdish keyboards [E] Expected: 25 Actual: <null>"; exit 1
fi
if grep -q "DateFormat('yyyy-MM-dd')" ${API}; then
  echo "+23 -1: date in payload [E] Expected: '2026-03-05' Actual: '٢٠٢٦-٠٣-٠٥'"; exit 1
fi
echo "+24: All tests passed!"
`;

export const dartRaqamArabiAr: SurveySession = {
  name: 'dart raqam arabi ar',
  about: 'طلبات بكمية صفر من عملاء في مصر والعراق: الأرقام العربية لا تُحلَّل، ثم التاريخ في الطلب.',
  kind: 'bug hunt',
  language: 'ar',
  ecosystem: 'flutter',
  files: {
    [PUBSPEC]:
      'name: souq\nenvironment:\n  sdk: ^3.3.0\ndependencies:\n  flutter:\n    sdk: flutter\n  intl: ^0.19.0\n',
    [FIELD]: `import 'package:flutter/material.dart';

class QuantityField extends StatelessWidget {
  const QuantityField({super.key, required this.onChanged});
  final void Function(int) onChanged;

  @override
  Widget build(BuildContext context) => TextField(
        keyboardType: TextInputType.number,
        onChanged: (text) => onChanged(int.tryParse(text) ?? 0),
      );
}
`,
    [API]: `import 'package:intl/intl.dart';

Map<String, Object> payload(Order order) => {
      'qty': order.quantity,
      'deliver_on': DateFormat('yyyy-MM-dd').format(order.day),
    };
`,
    'lib/main.dart':
      "import 'package:intl/intl.dart';\n\nvoid main() {\n  Intl.defaultLocale = deviceLocale();\n  runApp(const Souq());\n}\n",
    'logs/zero-orders.csv': `order,qty,locale,keyboard
5512,0,ar_EG,samsung
5519,0,ar_EG,gboard
5533,0,ar_IQ,samsung
5540,0,ckb_IQ,gboard
5541,0,ar_EG,samsung
`,
    'logs/ok-orders.csv':
      'order,qty,locale,keyboard\n5513,3,ar_AE,gboard\n5514,1,ar_MA,samsung\n5520,2,en_EG,gboard\n',
  },
  programs: { flutter: FLUTTER },
  prompts: [
    'تصلنا منذ إطلاق نسخة مصر طلبات كميتها صفر، حوالي ٢٪ من الطلبات. أظن أن الخادم يقرّب الكسور خطأ. السجلات في logs. ابحث عن السبب قبل أن أفتح تذكرة لفريق الخادم',
    'تمام، أصلحها في مكان واحد. قاعدتان: لا حزم جديدة في pubspec أبداً، كل حزمة تمر على لجنة الأمن وتأخذ شهراً. والعرض للعميل المصري يبقى بالأرقام العربية، هذا شرط قانوني في الفواتير، التحويل عند الإدخال فقط',
    'ممتاز. سؤال أخير: هل يكفي أن نجعل اللوحة number حتى لا يكتب أحد حروفاً؟',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('أبدأ بالسجلات لأرى ما يجمع الطلبات المعيبة.'),
          run('cat logs/zero-orders.csv logs/ok-orders.csv', 'الطلبات المعيبة والسليمة', 'ckb_IQ'),
          run('tail -n +2 logs/zero-orders.csv | cut -d, -f3 | sort | uniq -c', 'حسب اللغة', '3 ar_EG'),
        ],
        [
          say(
            'الخادم بعيد عن الشبهة: كل الطلبات المعيبة من ar_EG و ar_IQ و ckb_IQ، ولا طلب واحد من ar_AE أو ar_MA. أشك الآن في لوحة مفاتيح سامسونج.',
          ),
          read(FIELD),
          run('grep -c gboard logs/zero-orders.csv', 'هل هي سامسونج وحدها؟', '2'),
        ],
        [
          say('ليست سامسونج، فمنها طلبان من Gboard. أجرّب تحليل الأرقام نفسها.'),
          run(
            `node -e "for (const t of ['25','٢٥','۲۵']) console.log([...t].map(c=>c.codePointAt(0).toString(16)).join(' '), Number.parseInt(t,10))"`,
            'رموز الأرقام',
            '662 665',
          ),
        ],
        [
          say(`السبب في التطبيق وليس في الخادم، فلا داعي للتذكرة.

**السبب:** في \`quantity_field.dart\` نكتب \`int.tryParse(text) ?? 0\`. الدالة \`int.tryParse\` لا تفهم إلا الأرقام اللاتينية، فإذا كتب العميل «٢٥» أعادت null، ثم يحوّلها \`?? 0\` إلى صفر بصمت.

**لماذا مصر والعراق فقط:** لوحات المفاتيح في ar_EG و ar_IQ تكتب الأرقام العربية المشرقية (U+0660)، أما ar_AE و ar_MA فتكتب اللاتينية. لذلك لم يظهر الخطأ قبل إطلاق مصر.

**فخ:** اللوحة الكردية ckb تكتب الأرقام الفارسية (U+06F0)، وهي تشبهها في الشكل لكنها رموز أخرى، فلا بد من تحويل المجموعتين.

هل أصلحها؟`),
        ],
        [
          say('أكتب الاختبار أولاً ثم دالة واحدة للتحويل.'),
          write(
            TEST,
            `import 'package:souq/text/digits.dart';

void main() {
  test('Arabic digits', () => expect(parseQuantity('٢٥'), 25));
  test('Persian digits from Kurdish keyboards', () => expect(parseQuantity('۲۵'), 25));
  test('nonsense is null', () => expect(parseQuantity('abc'), isNull));
  test('date in payload', () => expect(payload(order)['deliver_on'], '2026-03-05'));
}
`,
          ),
          write(
            DIGITS,
            `/// Latin digits for Arabic ones.
String toLatinDigits(String text) => String.fromCharCodes(
    text.runes.map((r) => r >= 0x660 && r <= 0x669 ? r - 0x660 + 0x30 : r));

int? parseQuantity(String text) => int.tryParse(toLatinDigits(text));
`,
          ),
          fail('flutter test', 'الاختبارات', 'Persian digits'),
        ],
        [
          read(DIGITS),
          edit(
            DIGITS,
            'r >= 0x660 && r <= 0x669 ? r - 0x660 + 0x30 : r',
            'r >= 0x660 && r <= 0x669 ? r - 0x660 + 0x30 : r >= 0x6f0 && r <= 0x6f9 ? r - 0x6f0 + 0x30 : r',
          ),
          edit(FIELD, 'onChanged(int.tryParse(text) ?? 0)', 'onChanged(parseQuantity(text))'),
          edit(
            FIELD,
            'final void Function(int) onChanged;',
            '/// Null: not a number, the order button stays off.\n  final void Function(int?) onChanged;',
          ),
        ],
        [read(API), fail('flutter test', 'الاختبارات', '٢٠٢٦-٠٣-٠٥')],
        [
          say(
            'خطأ ثانٍ كما توقعت: تاريخ التسليم نفسه يُرسل إلى الخادم بأرقام عربية لأن DateFormat يتبع لغة الجهاز.',
          ),
          edit(API, "DateFormat('yyyy-MM-dd')", "DateFormat('yyyy-MM-dd', 'en_US')"),
          run('flutter test && flutter analyze', 'الاختبارات والتحليل', '+24: All tests passed!'),
        ],
        [
          run(
            'git add -A && git commit -qm "fix: Arabic and Persian digits in quantities" && git diff --stat HEAD~1 | tail -5 && git diff HEAD~1 --name-only | grep -c pubspec || true',
            'الإيداع',
            'digits.dart',
          ),
        ],
        [
          say(`تم الإصلاح والإيداع، ونجح ٢٤ اختباراً.

- \`parseQuantity\` في \`lib/text/digits.dart\` تحوّل الأرقام العربية والفارسية إلى لاتينية قبل التحليل، وهي المكان الوحيد للتحويل.
- لم يعد الحقل يرسل صفراً: القيمة null تعني «ليست رقماً» ويبقى زر الطلب معطلاً.
- خطأ جانبي: \`DateFormat\` بلا لغة يتبع \`Intl.defaultLocale\`، فكان \`deliver_on\` يُرسل «٢٠٢٦-٠٣-٠٥» ويرفضه الخادم بالرمز 400. كل تنسيق يذهب إلى الخادم يجب أن يحدد en_US صراحة.
- العرض لم يتغير، ولم أضف أي حزمة.

لم أعالج الفاصلة العشرية العربية «٫» (U+066B)، فالكميات أعداد صحيحة؛ ستلزم عند إضافة حقل للسعر. أخبرني إن أردت ذلك الآن.`),
        ],
        [run('grep -n keyboardType lib/widgets/*.dart', 'نوع اللوحة', 'TextInputType.number')],
        [
          say(
            'لا يكفي. `TextInputType.number` يقترح لوحة على النظام فقط ولا يمنع شيئاً: اللصق ولوحة المفاتيح الخارجية يُدخلان أي نص. المنع يحتاج `inputFormatters`، لكن انتبه: المرشح `FilteringTextInputFormatter.digitsOnly` يقبل 0 إلى 9 اللاتينية وحدها، فيمسح كل ما يكتبه العميل المصري. المطلوب مرشح بنمط `[0-9٠-٩۰-۹]`. لم أغيّر شيئاً. بالتوفيق في الإصدار!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/tryParse/, /اللاتينية/, /null|صفر/],
      },
      { type: ['preference', 'decision'], says: [/حزم/, /لجنة الأمن|pubspec/] },
      { type: ['preference', 'decision'], says: [/الفواتير|قانوني/, /العربية/, /الإدخال|العرض/] },
      { type: ['gotcha', 'discovery', 'bugfix'], says: [/U\+06F0|الفارسية/, /ckb|الكردية/] },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/DateFormat/, /en_US|defaultLocale|لغة الجهاز/, /الخادم/],
      },
      { type: ['bugfix', 'change'], says: [/parseQuantity/, /digits\.dart|تحو/], files: [DIGITS] },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/digitsOnly/, /اللاتينية|يمسح/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/ar_EG/, /ar_AE/, /لوحات|0660|اللاتينية/] },
      { type: ['gotcha', 'discovery', 'change', 'bugfix'], says: [/066B|الفاصلة العشرية/] },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/TextInputType\.number/, /يقترح|اللصق/] },
      { type: ['bugfix', 'change', 'decision'], says: [/null/, /زر الطلب/] },
    ],
    summaries: [
      { prompt: 1, request: [/صفر/], learned: [/tryParse|اللاتينية/], filesRead: [FIELD] },
      { prompt: 2, request: [/أصلحها/], completed: [/parseQuantity/], filesModified: [DIGITS, FIELD, API] },
      { prompt: 3, request: [/number/], learned: [/digitsOnly|يقترح/] },
    ],
    noise: ['هل أصلحها؟', 'بالتوفيق في الإصدار', 'أخبرني إن أردت ذلك', 'أبدأ بالسجلات', 'أكتب الاختبار أولاً'],
    untrue: [/أشك الآن في لوحة مفاتيح سامسونج/, /السبب[^.]{0,15}(هو )?(الخادم يقرّب|تقريب)/, /أضفت حزمة/],
    followUps: [
      { asks: 'أريد استعمال حزمة جاهزة لتنسيق أرقام الهواتف، أضيفها؟', says: [/لجنة الأمن/] },
      { asks: 'وحّد الأرقام في شاشة الفاتورة واجعلها 0-9 للجميع', says: [/قانوني/, /الفواتير/] },
      { asks: 'عميل في أربيل يقول إن الحقل لا يقبل ما يكتبه', says: [/U\+06F0|الفارسية/] },
      { asks: 'الـ API يرجع 400 على موعد التوصيل من أجهزة القاهرة فقط', says: [/DateFormat/] },
      {
        asks: 'نضيف حقل السعر بالكسور، ما الذي يجب الانتباه له في الإدخال؟',
        says: [/U\+066B|الفاصلة العشرية/],
      },
    ],
    unrelated: [
      'غيّر لون شاشة البداية إلى الأخضر الداكن',
      'كيف أرفع نسخة تجريبية على TestFlight؟',
      'اكتب وصف التطبيق لمتجر Google Play',
    ],
  },
};
