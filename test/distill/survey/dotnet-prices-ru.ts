import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PARSER = 'src/Import/PriceParser.cs';
const DOCKER = 'Dockerfile';

const SUMMARY = `<analysis>
Пользователь просил найти причину неверных цен после импорта. Причина найдена, код не менялся.
</analysis>
<summary>
1. Primary Request and Intent: понять, почему после импорта прайса «Вектор» цены вырастают в сто раз; пока ничего не менять.
2. Key Technical Concepts: .NET 8, decimal.Parse, CultureInfo, контейнер с LANG=de_DE.UTF-8.
3. Files and Code Sections: ${PARSER}, ${DOCKER}, data/vektor.csv.
4. Pending Tasks: исправить разбор цен, когда пользователь скажет.
</summary>`;

export const dotnetPricesRu: SurveySession = {
  name: 'dotnet prices ru',
  about:
    'Цены в сто раз больше: разбор чисел зависит от культуры контейнера. Разговор сжат перед исправлением.',
  kind: 'bug hunt',
  language: 'ru',
  ecosystem: 'dotnet',
  files: {
    'Sklad.sln': '',
    [PARSER]: `namespace Sklad.Import;

public static class PriceParser
{
    public static decimal Parse(string text)
    {
        return decimal.Parse(text);
    }
}
`,
    'src/Import/SupplierImport.cs': `namespace Sklad.Import;

public class SupplierImport(IPriceStore store)
{
    public void Run(IEnumerable<string[]> rows)
    {
        foreach (var row in rows) store.Save(row[0], PriceParser.Parse(row[1]));
    }
}
`,
    [DOCKER]: `FROM mcr.microsoft.com/dotnet/aspnet:8.0
ENV LANG=de_DE.UTF-8
COPY out /app
ENTRYPOINT ["dotnet", "/app/Sklad.dll"]
`,
    'data/vektor.csv': 'A-100;12.50\nA-101;7.90\n',
    'tests/PriceParserTests.cs': `public class PriceParserTests
{
    [Fact]
    public void Reads_a_price() => Assert.Equal(12.50m, PriceParser.Parse("12.50"));
}
`,
  },
  programs: {
    dotnet: `#!/bin/sh
if [ "$LANG" = de_DE.UTF-8 ] && ! grep -q InvariantCulture src/Import/PriceParser.cs; then
  echo 'Assert.Equal() Failure: Expected: 12.50 Actual: 1250'
  exit 1
fi
echo 'Passed!  - Failed: 0, Passed: 38, Skipped: 0'
`,
  },
  prompts: [
    'После вчерашнего выката цены поставщика «Вектор» в базе выросли ровно в сто раз: вместо 12,50 стоит 1250. Локально у меня всё нормально. Найди причину, но пока ничего не трогай.',
    '/compact',
    'Исправляй. И напиши, что делать с уже испорченными ценами.',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Смотрю, как читается прайс.'),
          read('src/Import/SupplierImport.cs'),
          read(PARSER),
          run('head -2 data/vektor.csv', 'Начало прайса', 'A-100;12.50'),
        ],
        [
          say('В файле всё верно, точка на месте. Проверю тесты у себя.'),
          run('LANG=C.UTF-8 dotnet test', 'Запустить тесты', 'Passed: 38'),
        ],
        [run('git log --oneline -5 -- Dockerfile', 'История Dockerfile'), read(DOCKER)],
        [
          say('В образе стоит немецкая локаль. Запускаю тесты с ней.'),
          fail('LANG=de_DE.UTF-8 dotnet test', 'Тесты с локалью контейнера', 'Actual: 1250'),
        ],
        [
          say(`Причина найдена, ничего не изменено.

\`PriceParser.Parse\` вызывает \`decimal.Parse(text)\` без культуры, поэтому разбор зависит от локали процесса. Вчера в \`${DOCKER}\` добавили \`LANG=de_DE.UTF-8\` ради сортировки в отчётах. В немецкой культуре точка — разделитель тысяч, и «12.50» без всякой ошибки читается как 1250. На вашей машине локаль другая, поэтому локально не воспроизводится.

Сам файл поставщика ни при чём: в \`data/vektor.csv\` цены записаны с точкой, как и раньше.`),
        ],
        [say('Правлю разбор.'), read(PARSER)],
        [
          edit(
            PARSER,
            'namespace Sklad.Import;\n',
            'using System.Globalization;\n\nnamespace Sklad.Import;\n',
          ),
          edit(
            PARSER,
            'decimal.Parse(text)',
            'decimal.Parse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture)',
          ),
        ],
        [
          run('LANG=de_DE.UTF-8 dotnet test', 'Тесты с немецкой локалью', 'Passed: 38'),
          run('LANG=C.UTF-8 dotnet test', 'Тесты с обычной локалью', 'Passed: 38'),
        ],
        [
          say(`Исправлено: \`PriceParser\` теперь всегда читает числа с \`CultureInfo.InvariantCulture\` и разрешает только десятичную точку (\`NumberStyles.AllowDecimalPoint\`). Если поставщик пришлёт «1.234,50», будет FormatException, а не тихо неверная цена. Локаль в образе я оставил, она нужна отчётам.

По испорченным ценам: делить на 100 всё подряд нельзя, потому что цены без копеек («15») прочитаны правильно. Надёжнее заново загрузить прайс «Вектора» от 12 мая, импорт перезаписывает цены по артикулу. Заказы, оформленные между выкатом 13 мая в 18:40 и исправлением, бухгалтерии придётся проверить вручную.`),
        ],
      ],
      compact: [[say(SUMMARY)]],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/decimal\.Parse|PriceParser/, /культур|локал/, /de_DE|немецк/],
      },
      {
        type: ['bugfix', 'change'],
        says: ['PriceParser', 'InvariantCulture'],
        files: [PARSER],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/делить на 100|заново загрузить/, /копеек|перезаписывает/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'decision', 'how-it-works', 'bugfix'],
        says: [/LANG|локаль/, /отч[её]т/],
      },
      {
        type: ['discovery', 'gotcha', 'change', 'how-it-works', 'bugfix'],
        says: ['FormatException', /1\.234,50|AllowDecimalPoint|тихо/],
      },
      { type: ['discovery', 'gotcha', 'change'], says: [/18:40|бухгалтери/, /заказы/] },
    ],
    summaries: [
      { prompt: 1, request: ['Вектор'], learned: [/культур|локал/], filesRead: [PARSER, DOCKER] },
      {
        prompt: 2,
        request: ['Исправляй'],
        completed: ['InvariantCulture'],
        filesModified: [PARSER],
      },
    ],
    noise: ['Смотрю, как читается прайс', 'Правлю разбор', 'Primary Request and Intent', 'Skipped: 0'],
    untrue: [/LANG\S* (удал|убра)/, /файл поставщика (испорчен|неверн)/],
    followUps: [
      { asks: 'почему PriceParser не использует текущую культуру?', says: [/InvariantCulture/] },
      {
        asks: 'у нового поставщика суммы после загрузки отличаются в 100 раз, с чего начать?',
        says: [/культур|локал/],
      },
      { asks: 'можно убрать LANG из докер-образа?', says: [/отч[её]т/] },
      {
        asks: 'импорт упал с FormatException на строке «2.100,00», это баг?',
        says: [/AllowDecimalPoint|1\.234,50/],
      },
      {
        asks: 'как восстановить стоимость товаров Вектора после сбоя в мае',
        says: [/заново загрузить|перезаписывает/],
      },
    ],
    unrelated: [
      'добавь страницу со списком складов',
      'переименуй проект тестов в Sklad.Tests',
      'как включить сжатие ответов в Kestrel?',
    ],
  },
};
