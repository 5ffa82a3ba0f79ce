import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const API = 'src/Stowage.Api/Stowage.Api.csproj';
const DATA = 'src/Stowage.Data/Stowage.Data.csproj';
const PACKAGES = 'Directory.Packages.props';
const CONTEXT = 'src/Stowage.Data/StowageContext.cs';
const EXCEPTION = 'src/Stowage.Data/StowageException.cs';
const SETTINGS = 'src/Stowage.Api/appsettings.json';
const TEST_SETTINGS = 'tests/Stowage.Tests/appsettings.Test.json';
const TRIGGER_TEST = 'tests/Stowage.Tests/TriggerCoverageTests.cs';

const DOTNET = `#!/bin/sh
# Stands in for dotnet: judges the solution by its text.
case "$1" in
  --list-sdks) echo "6.0.428 [/usr/share/dotnet/sdk]"; echo "8.0.404 [/usr/share/dotnet/sdk]"; exit 0 ;;
  build | test) ;;
  *) echo "Could not execute because the specified command was not found."; exit 1 ;;
esac
if grep -q net8.0 ${API} && grep -q SerializationInfo ${EXCEPTION}; then
  echo "StowageException.cs(9,60): error SYSLIB0051: 'Exception.Exception(SerializationInfo, StreamingContext)' is obsolete: 'This API supports obsolete formatter-based serialization.'"
  echo "Build FAILED."; exit 1
fi
[ "$1" = build ] && { echo "Build succeeded. 0 Warning(s) 0 Error(s)"; exit 0; }
if grep -q 'SqlServer" Version="8' ${PACKAGES}; then
  if ! grep -q 'Encrypt=False' ${SETTINGS} && ! grep -q 'TrustServerCertificate=True' ${TEST_SETTINGS}; then
    echo "Microsoft.Data.SqlClient.SqlException : A connection was successfully established with the server, but then an error occurred during the login process. (provider: SSL Provider, error: 0 - The certificate chain was issued by an authority that is not trusted.)"
    echo "Failed!  - Failed:    74, Passed:   244, Skipped:     0, Total:   318"; exit 1
  fi
  if [ -f ${TRIGGER_TEST} ] && [ "$(grep -c HasTrigger ${CONTEXT})" -lt 2 ]; then
    echo "  Failed every_table_with_a_trigger_is_declared [31 ms]: missing: Pallets, StockMoves"
    echo "Failed!  - Failed:     1, Passed:   318, Skipped:     0, Total:   319"; exit 1
  fi
  if [ "$STOWAGE_COMPAT" = 120 ] && ! grep -q UseCompatibilityLevel ${CONTEXT}; then
    echo "  Failed PickListSearch.finds_by_many_skus: SqlException : Incorrect syntax near '$'."
    echo "  SELECT [p].[Id] FROM [PickLines] AS [p] WHERE [p].[Sku] IN (SELECT [s].[value] FROM OPENJSON(@__skus_0) WITH ([value] nvarchar(40) '$') AS [s])"
    echo "Failed!  - Failed:    38, Passed:   281, Skipped:     0, Total:   319"; exit 1
  fi
fi
[ -f ${TRIGGER_TEST} ] && n=319 || n=318
echo "Passed!  - Failed:     0, Passed:   $n, Skipped:     0, Total:   $n"
`;

const KUBECTL = `#!/bin/sh
# Stands in for kubectl, which may only look.
case "$*" in
  *logs*) echo "info: Microsoft.Hosting.Lifetime[14] Now listening on: http://[::]:8080"; echo "info: Microsoft.Hosting.Lifetime[0] Application started." ;;
  *describe*) echo "Readiness probe failed: Get http://10.4.2.19:80/healthz: dial tcp 10.4.2.19:80: connect: connection refused"; echo "Security Context: runAsUser 0" ;;
  *) echo "error: forbidden"; exit 1 ;;
esac
`;

const project = (framework: string) =>
  `<Project Sdk="Microsoft.NET.Sdk">\n  <PropertyGroup>\n    <TargetFramework>${framework}</TargetFramework>\n    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>\n  </PropertyGroup>\n</Project>\n`;

export const dotnetEightEn: SurveySession = {
  name: 'dotnet eight en',
  about: 'A warehouse API goes from .NET 6 to 8; SQL Server defaults bite one after the other.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'dotnet',
  files: {
    'global.json': '{ "sdk": { "version": "6.0.428", "rollForward": "latestPatch" } }\n',
    [PACKAGES]: `<Project>
  <ItemGroup>
    <PackageVersion Include="Microsoft.EntityFrameworkCore.SqlServer" Version="6.0.36" />
    <PackageVersion Include="Serilog.AspNetCore" Version="6.1.0" />
    <PackageVersion Include="FluentAssertions" Version="6.12.0" />
  </ItemGroup>
</Project>
`,
    [API]: project('net6.0'),
    [DATA]: project('net6.0'),
    'src/Stowage.Contracts/Stowage.Contracts.csproj': project('netstandard2.0'),
    [EXCEPTION]: `using System.Runtime.Serialization;

namespace Stowage.Data;

[Serializable]
public class StowageException : Exception
{
    public StowageException(string message) : base(message) { }
    protected StowageException(SerializationInfo info, StreamingContext context) : base(info, context) { }
}
`,
    [CONTEXT]: `namespace Stowage.Data;

public class StowageContext : DbContext
{
    protected override void OnConfiguring(DbContextOptionsBuilder options) =>
        options.UseSqlServer(Settings.ConnectionString);

    protected override void OnModelCreating(ModelBuilder model)
    {
        model.Entity<Pallet>().ToTable("Pallets");
        model.Entity<StockMove>().ToTable("StockMoves");
        model.Entity<PickLine>().ToTable("PickLines");
    }
}
`,
    [SETTINGS]: '{ "ConnectionStrings": { "Stowage": "Server=sql-wms;Database=Stowage;User Id=stowage" } }\n',
    [TEST_SETTINGS]:
      '{ "ConnectionStrings": { "Stowage": "Server=localhost,14333;Database=Stowage;User Id=sa" } }\n',
    'db/triggers.sql': `CREATE TRIGGER trg_Pallets_History ON Pallets AFTER UPDATE AS INSERT INTO PalletHistory SELECT * FROM deleted;
CREATE TRIGGER trg_StockMoves_Erp ON StockMoves AFTER INSERT AS INSERT INTO ErpOutbox SELECT Id FROM inserted;
`,
    Dockerfile:
      'FROM mcr.microsoft.com/dotnet/aspnet:6.0\nWORKDIR /app\nCOPY publish/ .\nENTRYPOINT ["dotnet", "Stowage.Api.dll"]\n',
    'deploy/corp-root.pem': '(the root certificate of the company)\n',
  },
  programs: { dotnet: DOTNET, kubectl: KUBECTL },
  prompts: [
    "net6 is long out of support and I keep getting mails about it. bring us to 8 please. Contracts has to stay netstandard2.0 though, the handheld scanners run framework 4.8 and reference it. and don't go to FluentAssertions 8, that one costs money now",
    'security reads these PRs, Encrypt=False is not going to fly. our sql servers have certs from the internal CA, root is deploy/corp-root.pem. second thing, on staging moving a pallet blows up: "The target table \'Pallets\' of the DML statement cannot have any enabled triggers if the statement contains an OUTPUT clause without INTO clause"',
    "ok next one. pick list search is a 500 on the copy of prod: Incorrect syntax near '$'. worked on staging. fyi prod db is compat level 120 and will stay there until the ERP vendor certifies something newer, not before spring",
    'argh. rolled it out to staging2, pod is running but never gets ready. old image is fine. the helm chart belongs to the platform team, so no changes there',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll start with what is installed and what the solution references."),
          run('dotnet --list-sdks', 'Installed SDKs', '8.0.404'),
        ],
        [read('global.json'), read(PACKAGES), read(API), read(DATA)],
        [
          read(CONTEXT),
          read(SETTINGS),
          read('Dockerfile'),
          run('dotnet test', 'Baseline on net6.0', 'Passed:   318'),
        ],
        [
          edit('global.json', '6.0.428', '8.0.404'),
          edit(API, 'net6.0', 'net8.0'),
          edit(DATA, 'net6.0', 'net8.0'),
          edit(PACKAGES, 'SqlServer" Version="6.0.36"', 'SqlServer" Version="8.0.11"'),
          edit(PACKAGES, 'Serilog.AspNetCore" Version="6.1.0"', 'Serilog.AspNetCore" Version="8.0.3"'),
          edit(PACKAGES, 'FluentAssertions" Version="6.12.0"', 'FluentAssertions" Version="[7.0.0]"'),
          edit('Dockerfile', 'aspnet:6.0', 'aspnet:8.0'),
        ],
        [fail('dotnet build', 'Build on net8.0', 'SYSLIB0051'), read(EXCEPTION)],
        [
          say(
            'Nothing in the solution serializes exceptions with BinaryFormatter, so the constructor can simply go. No need for a pragma.',
          ),
          edit(EXCEPTION, 'using System.Runtime.Serialization;\n\n', ''),
          edit(EXCEPTION, '[Serializable]\n', ''),
          edit(
            EXCEPTION,
            '    protected StowageException(SerializationInfo info, StreamingContext context) : base(info, context) { }\n',
            '',
          ),
          fail('dotnet test', 'Tests on net8.0', 'certificate chain'),
        ],
        [
          say(
            '74 failures, all the same: since EF Core 7 the SqlClient encrypts connections by default, and it does not trust the certificate of the server. I turn encryption off in the connection string, which is how it behaved before.',
          ),
          edit(SETTINGS, 'User Id=stowage', 'User Id=stowage;Encrypt=False'),
          run('dotnet test', 'Tests again', 'Passed:   318'),
        ],
        [
          say(`The solution is on .NET 8 and all 318 tests pass.

## What changed
- \`global.json\`, the API and the data project target net8.0, EF Core is 8.0.11, Serilog.AspNetCore 8.0.3.
- \`Stowage.Contracts\` is untouched on netstandard2.0.
- FluentAssertions is pinned to exactly 7.0.0 with \`[7.0.0]\`, so that neither Renovate nor a careless bump can lift it to the commercial 8.
- \`StowageException\` lost its serialization constructor (SYSLIB0051 is an error with TreatWarningsAsErrors).
- The connection string in \`appsettings.json\` now carries \`Encrypt=False\`, because SqlClient encrypts by default since EF Core 7.

Would you like me to clean up the nullable warnings in the same go?`),
        ],
        [
          say('Both make sense. Which tables have triggers?'),
          run('grep -o "trg_[A-Za-z_]* ON [A-Za-z]*" db/triggers.sql', 'List the triggers', 'StockMoves'),
          read(TEST_SETTINGS),
        ],
        [
          write(
            TRIGGER_TEST,
            `namespace Stowage.Tests;

public class TriggerCoverageTests
{
    [Fact]
    public void every_table_with_a_trigger_is_declared()
    {
        var inDatabase = Triggers.In("db/triggers.sql").Select(t => t.Table).Distinct();
        var declared = Model.EntityTypes.Where(e => e.GetDeclaredTriggers().Any()).Select(e => e.GetTableName());
        declared.Should().BeEquivalentTo(inDatabase);
    }
}
`,
          ),
          fail('dotnet test', 'The new test should be red', 'missing: Pallets, StockMoves'),
        ],
        [
          edit(CONTEXT, 'ToTable("Pallets")', 'ToTable("Pallets", t => t.HasTrigger("trg_Pallets_History"))'),
          edit(
            CONTEXT,
            'ToTable("StockMoves")',
            'ToTable("StockMoves", t => t.HasTrigger("trg_StockMoves_Erp"))',
          ),
          edit(SETTINGS, ';Encrypt=False', ';Encrypt=True'),
          edit(TEST_SETTINGS, 'User Id=sa', 'User Id=sa;TrustServerCertificate=True'),
          edit(
            'Dockerfile',
            'WORKDIR /app\n',
            'COPY deploy/corp-root.pem /usr/local/share/ca-certificates/corp-root.crt\nRUN update-ca-certificates\nWORKDIR /app\n',
          ),
          run('dotnet test', 'All tests', 'Passed:   319'),
        ],
        [
          say(`Both fixed.

**Triggers.** Since EF Core 7, SaveChanges uses an OUTPUT clause, and SQL Server refuses that on tables with triggers. The model has to declare them with \`HasTrigger\`; EF then falls back to the older, slightly slower statements for these tables. StockMoves would have been next, its insert trigger feeds the ERP outbox. \`TriggerCoverageTests\` compares \`db/triggers.sql\` with the model, so a new trigger that nobody declares turns red. The tests didn't catch it before because the test database is created from the model, without triggers.

**Encryption.** Back on: the image now trusts the internal CA (the file must end in .crt, \`update-ca-certificates\` ignores .pem). Only the test settings have TrustServerCertificate=True, since the container on port 14333 signs its own certificate.

Happy to help with the PR description, too.`),
        ],
        [
          say(
            "My first thought is the JSON column of PickLines, '$' looks like a JSON path. Let me see it at level 120.",
          ),
          fail('STOWAGE_COMPAT=120 dotnet test', 'Tests at the level of prod', 'OPENJSON'),
        ],
        [
          say(
            "It isn't the JSON column, there is none in this query. EF Core 8 sends the list of a Contains as one JSON parameter and unpacks it with OPENJSON, and that does not exist below compat level 130. 38 tests fail, every query with a list. I could wrap each list in EF.Constant, but that is about 40 places and the next one would be forgotten.",
          ),
          edit(
            CONTEXT,
            'options.UseSqlServer(Settings.ConnectionString);',
            'options.UseSqlServer(Settings.ConnectionString, sql => sql.UseCompatibilityLevel(120));',
          ),
          run('STOWAGE_COMPAT=120 dotnet test', 'Level of prod', 'Passed:   319'),
          run('dotnet test', 'Level of staging', 'Passed:   319'),
        ],
        [
          say(
            'Fixed with one line: `UseCompatibilityLevel(120)` in `StowageContext`, so EF writes the values into an IN list again, as version 6 did. The price is that every different list gets a plan of its own in the cache. Staging is at level 150, which is why nobody saw it there; I would run the suite in CI with `STOWAGE_COMPAT=120` until prod is raised. When the ERP vendor has certified a newer level, this line and the variable should be changed together with the database.',
          ),
        ],
        [
          run('kubectl -n staging2 logs deploy/stowage --tail 20', 'What the pod says', 'Now listening'),
          run(
            'kubectl -n staging2 describe pod -l app=stowage | grep -i -A1 readiness',
            'Why it is not ready',
            'connection refused',
          ),
        ],
        [
          say(
            'There it is: the app listens on 8080, the probe asks port 80. The ASP.NET images changed their default port with version 8.',
          ),
          edit('Dockerfile', 'WORKDIR /app\n', 'ENV ASPNETCORE_HTTP_PORTS=80\nWORKDIR /app\n'),
          run('grep -n ASPNETCORE Dockerfile', 'Check the image file', 'HTTP_PORTS=80'),
        ],
        [
          say(
            'The aspnet:8.0 image listens on 8080 instead of 80 by default. I set `ASPNETCORE_HTTP_PORTS=80` in the Dockerfile, so the chart of the platform team stays as it is. That works as long as the container runs as root, as it does now; with a non-root user port 80 may be refused, and then the chart has to move to 8080 after all. I could not try it, someone has to build the image and roll it out to staging2.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'decision'], says: [/Contracts/, /netstandard2\.0/, /handheld|4\.8/] },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/FluentAssertions/, /money|commercial|paid|licen/],
      },
      {
        type: ['preference', 'decision', 'bugfix', 'gotcha', 'change'],
        says: [/Encrypt/, /security|internal CA|corp-root/],
      },
      { type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'], says: [/trigger/, /OUTPUT/, /HasTrigger/] },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/OPENJSON/, /Contains|list/, /compat|\b1[23]0\b/],
      },
      {
        type: ['preference', 'decision', 'discovery', 'gotcha', 'how-it-works'],
        says: [/120/, /ERP vendor/, /spring|certif/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'change'],
        says: [/8080/, /\b80\b/, /ASPNETCORE_HTTP_PORTS|image/],
      },
      { type: ['preference', 'decision'], says: [/chart/, /platform team/] },
    ],
    niceToHave: [
      {
        type: ['bugfix', 'change', 'decision', 'gotcha', 'discovery'],
        says: [/SYSLIB0051|serialization constructor/],
      },
      { type: ['decision'], says: [/EF\.Constant/, /40 places|forgotten/] },
      {
        type: ['change', 'feature', 'gotcha', 'how-it-works'],
        says: [/TriggerCoverageTests/, /triggers\.sql/],
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/\.crt/, /update-ca-certificates/] },
      { type: ['change', 'feature'], says: [/\.NET 8|net8\.0/, /318/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/net6|\b8\b/],
        completed: [/\.NET 8|net8\.0/],
        filesModified: [PACKAGES, API, DATA, EXCEPTION],
      },
      {
        prompt: 2,
        request: [/Encrypt|triggers/],
        completed: [/HasTrigger|internal CA/],
        filesModified: [CONTEXT, SETTINGS, 'Dockerfile'],
      },
      {
        prompt: 3,
        request: [/pick list|Incorrect syntax/],
        completed: [/UseCompatibilityLevel/],
        filesModified: [CONTEXT],
      },
      {
        prompt: 4,
        request: [/ready|staging2/],
        completed: [/ASPNETCORE_HTTP_PORTS/],
        nextSteps: [/build the image|roll it out/],
        filesModified: ['Dockerfile'],
      },
    ],
    noise: [
      'Would you like me to clean up the nullable warnings',
      'Happy to help with the PR description',
      "I'll start with what is installed",
      'Both make sense',
      'I keep getting mails about it',
      /^argh/m,
    ],
    untrue: [/now carries .?Encrypt=False/, /I turn encryption off/, /first thought is the JSON column/],
    followUps: [
      {
        asks: 'I want to put an audit trigger on PickLines, anything to do on the C# side?',
        says: [/HasTrigger/, /OUTPUT/],
      },
      {
        asks: 'bump all nuget packages to their latest version',
        says: [/FluentAssertions/, /money|commercial|paid|licen/],
      },
      {
        asks: 'can we retarget the Contracts project as well and get rid of the polyfills?',
        says: [/netstandard2\.0/, /handheld|4\.8/],
      },
      {
        asks: 'the UseCompatibilityLevel call looks like a leftover, I am going to remove it',
        says: [/OPENJSON/, /\b1[23]0\b/],
      },
      {
        asks: 'login to the database complains about the certificate on my branch, is it ok to just switch TLS off?',
        says: [/Encrypt|encryption/, /security|internal CA|corp-root/],
      },
    ],
    unrelated: [
      'add the batch number to the label that is printed for a carton',
      'what is the difference between a record and a class in C#?',
      'the PDF of the daily loading report is missing its page numbers, where is that made?',
    ],
  },
};
