import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PACKAGES = 'Directory.Packages.props';
const PROJECT = 'src/Shelfmark.Api/Shelfmark.Api.csproj';
const LOANS = 'src/Shelfmark.Api/Loans/LoanImport.cs';
const PROGRAM = 'src/Shelfmark.Api/Program.cs';
const TOOLS = '.config/dotnet-tools.json';
const NUGET = 'nuget.config';
const GLOBAL = 'global.json';
const DOCKER = 'deploy/Dockerfile';
const SERVICE = 'deploy/service.yaml';

export const libraryToNet8: SurveySession = {
  name: 'library to net8',
  about: 'A move from .NET 6 to 8: one package must stay, one tool install fails behind a pipe.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'dotnet',
  files: {
    [GLOBAL]: '{\n  "sdk": { "version": "6.0.428", "rollForward": "latestFeature" }\n}\n',
    [PACKAGES]: `<Project>
  <PropertyGroup>
    <ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>
  </PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="Microsoft.EntityFrameworkCore" Version="5.0.17" />
    <PackageVersion Include="Npgsql.EntityFrameworkCore.PostgreSQL" Version="5.0.10" />
    <PackageVersion Include="Serilog.AspNetCore" Version="6.1.0" />
    <PackageVersion Include="SixLabors.ImageSharp" Version="2.1.9" />
  </ItemGroup>
</Project>
`,
    [PROJECT]: `<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup>
    <TargetFramework>net6.0</TargetFramework>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.EntityFrameworkCore" />
    <PackageReference Include="Npgsql.EntityFrameworkCore.PostgreSQL" />
    <PackageReference Include="Serilog.AspNetCore" />
    <PackageReference Include="SixLabors.ImageSharp" />
  </ItemGroup>
</Project>
`,
    [PROGRAM]:
      'var builder = WebApplication.CreateBuilder(args);\nvar app = builder.Build();\napp.MapLoans();\napp.Run();\n',
    [LOANS]: `namespace Shelfmark.Api.Loans;

public static class LoanImport
{
    public static Loan Parse(string[] cells) => new()
    {
        CardNumber = cells[0],
        DueAt = DateTime.Parse(cells[1]),
    };
}
`,
    [TOOLS]:
      '{\n  "version": 1,\n  "isRoot": true,\n  "tools": {\n    "dotnet-ef": { "version": "5.0.17", "commands": ["dotnet-ef"] }\n  }\n}\n',
    [NUGET]:
      '<configuration>\n  <packageSources>\n    <clear />\n    <add key="internal" value="https://nuget.shelfmark.example/v3/index.json" />\n  </packageSources>\n</configuration>\n',
    [DOCKER]:
      'FROM mcr.microsoft.com/dotnet/aspnet:6.0\nCOPY out /app\nENTRYPOINT ["dotnet", "/app/Shelfmark.Api.dll"]\n',
    [SERVICE]: 'kind: Service\nspec:\n  ports:\n    - port: 80\n      targetPort: 80\n',
  },
  programs: {
    dotnet: `#!/bin/sh
case "$1 $2" in
  "list "*) cat <<'END'
Project \`Shelfmark.Api\` has the following updates to its packages
   [net6.0]:
   Top-level Package                          Requested   Resolved   Latest
   > Microsoft.EntityFrameworkCore            5.0.17      5.0.17     8.0.11
   > Npgsql.EntityFrameworkCore.PostgreSQL    5.0.10      5.0.10     8.0.11
   > Serilog.AspNetCore                       6.1.0       6.1.0      8.0.3
   > SixLabors.ImageSharp                     2.1.9       2.1.9      3.1.6
END
  ;;
  "build "*)
    if ! grep -q net8.0 ${PROJECT} || ! grep -q '"8.0' ${GLOBAL}; then echo "error NU1202: Package Microsoft.EntityFrameworkCore 8.0.11 is not compatible with net6.0"; echo "Build FAILED."; exit 1; fi
    printf 'Build succeeded.\\n    0 Warning(s)\\n    0 Error(s)\\n' ;;
  "test "*)
    if grep -q ConvertTimeToUtc ${LOANS}; then echo "Passed!  - Failed:     0, Passed:    86, Skipped:     0, Total:    86"; exit 0; fi
    if grep -q SpecifyKind ${LOANS}; then
      printf '  Failed Shelfmark.Tests.LoanImportTests.Summer_due_time_is_stored_in_utc\\n    Assert.Equal() Failure\\n    Expected: 2024-07-01T20:00:00Z\\n    Actual:   2024-07-01T21:00:00Z\\n'
      echo "Failed!  - Failed:     1, Passed:    85, Skipped:     0, Total:    86"; exit 1; fi
    echo "  System.ArgumentException : Cannot write DateTime with Kind=Unspecified to PostgreSQL type 'timestamp with time zone', only UTC is supported."
    echo "Failed!  - Failed:     9, Passed:    77, Skipped:     0, Total:    86"; exit 1 ;;
  "tool update")
    cat >&2 <<'END'
error NU1102: Unable to find package dotnet-ef with version (>= 8.0.11)
  - Found 1 version(s) in internal [ Nearest version: 5.0.17 ]
Tool 'dotnet-ef' failed to install. This failure may have been caused by:
* The requested version does not exist on the configured feeds.

For more reasons, including package naming enforcement, visit https://aka.ms/failure-installing-tool
END
    exit 1 ;;
  "tool list") printf 'Package Id      Version      Commands       Manifest\\n-----------------------------------------------------\\ndotnet-ef       5.0.17       dotnet-ef      .config/dotnet-tools.json\\n' ;;
  "ef "*) echo "Unrecognized command or argument 'has-pending-model-changes'" >&2; exit 1 ;;
  *) echo "8.0.404" ;;
esac
`,
  },
  prompts: [
    'can you move Shelfmark.Api from .NET 6 to 8, packages included? one commit per concern please (framework, packages, fixes), the release notes are built from them. times in the loan CSVs are Dublin local time in case you stumble over them',
    "no, ImageSharp has to go back to 2.1.9. 3.x comes with the Six Labors split licence and legal won't sign it for the council installs. everything else is fine",
    "ah, the internal feed is curated, nothing lands there without a request to Olga. I'll ask her for dotnet-ef 8, leave the tool alone until then. don't add nuget.org to nuget.config, that's on purpose",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll get an overview of versions and pins first."),
          run('dotnet --version && cat global.json && git ls-files', 'SDK, pin and files', '8.0.404'),
          run('dotnet list src/Shelfmark.Api package --outdated', 'Outdated packages', '3.1.6'),
          read(PACKAGES),
          read(PROJECT),
        ],
        [
          say('Framework first.'),
          read(GLOBAL),
          edit(PROJECT, 'net6.0', 'net8.0'),
          run(
            `sed -i 's/6.0.428/8.0.404/' global.json && sed -i 's/aspnet:6.0/aspnet:8.0/' deploy/Dockerfile && grep -rn "targetPort\\|aspnet:" deploy`,
            'Pin the SDK, move the image, look at the ports',
            'targetPort: 80',
          ),
        ],
        [
          say(
            'Good thing I looked: since .NET 8 the aspnet images listen on 8080 instead of 80, so `targetPort: 80` would give us a pod that is up and a service that answers nothing. I follow the new default rather than forcing ASPNETCORE_HTTP_PORTS=80, because port 80 would stop us from ever running as the non-root user.',
          ),
          read(SERVICE),
          edit(SERVICE, 'targetPort: 80', 'targetPort: 8080'),
          run(
            'git add -A && git commit -qm "Move to .NET 8; containers listen on 8080 now" && git log --oneline | head -1',
            'Commit the framework',
            'Move to .NET 8',
          ),
        ],
        [
          say('Now the packages, and the EF tool to match.'),
          edit(PACKAGES, 'EntityFrameworkCore" Version="5.0.17"', 'EntityFrameworkCore" Version="8.0.11"'),
          edit(PACKAGES, 'Version="5.0.10"', 'Version="8.0.11"'),
          edit(PACKAGES, 'Version="6.1.0"', 'Version="8.0.3"'),
          edit(PACKAGES, 'Version="2.1.9"', 'Version="3.1.6"'),
        ],
        [
          run('dotnet tool update dotnet-ef --version 8.0.11 2>&1 | tail -1', 'Update the EF tool', 'aka.ms'),
          run('dotnet build src/Shelfmark.Api', 'Build', 'Build succeeded'),
          fail('dotnet test --nologo', 'Run the tests', 'Kind=Unspecified'),
        ],
        [
          say(
            'Expected with a jump over Npgsql 6: it maps DateTime to `timestamp with time zone` and refuses anything that is not UTC. Let me see where the unspecified values come from.',
          ),
          run('grep -rn "DateTime.Parse" src', 'Find the parser', 'LoanImport.cs'),
          read(LOANS),
        ],
        [
          edit(
            LOANS,
            'DateTime.Parse(cells[1])',
            'DateTime.SpecifyKind(DateTime.Parse(cells[1]), DateTimeKind.Utc)',
          ),
          fail('dotnet test --nologo', 'Tests again', 'Expected: 2024-07-01T20:00:00Z'),
        ],
        [
          say(
            "Right, you said it: the CSV has Dublin local time. Stamping it as UTC silences Npgsql but makes every summer due time an hour late. It has to be converted, not relabelled. I also considered `Npgsql.EnableLegacyTimestampBehavior`; I'm not taking it because the switch is process-wide and would hide the same mistake everywhere else.",
          ),
          edit(
            LOANS,
            'DateTime.SpecifyKind(DateTime.Parse(cells[1]), DateTimeKind.Utc)',
            'TimeZoneInfo.ConvertTimeToUtc(DateTime.Parse(cells[1]), TimeZoneInfo.FindSystemTimeZoneById("Europe/Dublin"))',
          ),
          run('dotnet test --nologo', 'Tests', 'Passed:    86'),
        ],
        [
          run(
            `git add Directory.Packages.props && git commit -qm "Update packages" && git commit -qam "Convert loan due times from Dublin time to UTC" && git log --oneline | head -3`,
            'Two commits',
            'Convert loan due times',
          ),
        ],
        [
          say(`The upgrade is done: .NET 8 throughout, 86 of 86 tests green, three clean commits. 🚀

| Package | from | to |
|---|---|---|
| Microsoft.EntityFrameworkCore | 5.0.17 | 8.0.11 |
| Npgsql.EntityFrameworkCore.PostgreSQL | 5.0.10 | 8.0.11 |
| Serilog.AspNetCore | 6.1.0 | 8.0.3 |
| SixLabors.ImageSharp | 2.1.9 | 3.1.6 |

**Worth a look in review:** the service now targets 8080, and loan due times are converted from Dublin time on import. Rows imported before this keep their local time and were not migrated.

Shall I go on with the test project's packages?`),
        ],

        [
          say('Reverting that one.'),
          edit(
            PACKAGES,
            'Include="SixLabors.ImageSharp" Version="3.1.6" />',
            'Include="SixLabors.ImageSharp" Version="[2.1.9,3.0)" /> <!-- 3.x: split licence -->',
          ),
          run('dotnet build src/Shelfmark.Api && dotnet test --nologo', 'Build and test', 'Passed:    86'),
        ],
        [
          say('While at it, a check that the model needs no migration after the EF jump.'),
          fail(
            'dotnet ef migrations has-pending-model-changes',
            'Pending model changes',
            'Unrecognized command',
          ),
          run('dotnet tool list', 'Which EF tool is installed', '5.0.17'),
        ],
        [
          say(
            'That command exists since EF 8, and the manifest still says 5.0.17. So my tool update earlier did not work; I only looked at the last line of its output, and the pipe swallowed the exit code. Once more in full:',
          ),
          fail('dotnet tool update dotnet-ef --version 8.0.11', 'Update the tool without a pipe', 'NU1102'),
          read(NUGET),
        ],
        [
          run(
            'git commit -qam "Keep ImageSharp on 2.1: licence of 3.x not approved" && git log --oneline | head -1',
            'Commit',
            'Keep ImageSharp',
          ),
        ],
        [
          say(`ImageSharp is back on 2.1.9, with a range that stops below 3.0 so that the next bulk update leaves it alone.

I have to correct myself on one thing: **dotnet-ef is still at 5.0.17.** The update failed because the internal feed carries no newer version, and I missed it. Until that changes, don't generate migrations: a 5.0 tool against an EF 8 model is not something I would trust, and I could not check for pending model changes either.

Options: get 8.0.11 onto the feed, or add nuget.org as a second source. Which do you prefer?`),
        ],

        [
          say(
            'Understood: the tool and `nuget.config` stay as they are. Once Olga has added it, `dotnet tool update dotnet-ef --version 8.0.11` and then `dotnet ef migrations has-pending-model-changes` are the two commands left to run.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/ImageSharp|3\.x/, /licen[cs]e/, /legal|not approved|sign/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/dotnet-ef/, /still at 5\.0\.17|internal feed/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/Olga|nuget\.org/, /feed|nuget\.config/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'bugfix', 'decision', 'discovery'],
        says: [/Dublin/, /UTC/, /hour late|convert/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'change', 'decision', 'discovery'],
        says: [/8080/, /80/, /\.NET 8|aspnet/],
        prompt: 1,
      },
      { type: 'preference', says: [/one commit per concern/], prompt: 1 },
    ],
    niceToHave: [
      {
        type: ['decision', 'gotcha'],
        says: [/EnableLegacyTimestampBehavior/, /process-wide/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/imported before/, /not migrated|local time/],
        prompt: 1,
      },
      {
        type: ['decision'],
        says: [/ASPNETCORE_HTTP_PORTS/, /non-root/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/don't generate migrations/],
        prompt: 2,
      },
      {
        type: ['change', 'feature'],
        says: [/\.NET 8/, /EntityFrameworkCore|packages|upgrade/],
        prompt: 1,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/\.NET 6 to 8/],
        learned: [/UTC|8080/],
        completed: [/\.NET 8/],
        filesModified: [PACKAGES, PROJECT, LOANS],
      },
      {
        prompt: 2,
        request: ['ImageSharp'],
        completed: [/2\.1/],
        learned: [/5\.0\.17/],
        filesModified: [PACKAGES],
      },
      { prompt: 3, request: [/feed|dotnet-ef/], nextSteps: [/dotnet-ef/] },
    ],
    noise: [
      "I'll get an overview",
      'three clean commits',
      'Shall I go on with',
      'Which do you prefer',
      'Good thing I looked',
      'Reverting that one',
      'https://aka.ms/failure-installing-tool',
      'Build succeeded',
    ],
    untrue: [
      /dotnet-ef (was |is |has been |tool )?(now )?(updated|upgraded|at|on) (to )?8\.0/,
      /ImageSharp (is|was|has been) (now )?(updated|upgraded|moved) to 3/,
      /(uses|fixed (with|by)) `?(DateTime\.)?SpecifyKind/,
    ],
    followUps: [
      {
        asks: 'renovate wants to bump the image library to the new major, merge it?',
        says: [/licen[cs]e/],
      },
      {
        asks: 'I need a new migration for the fines table, generate it please',
        says: [/dotnet-ef|migrations/, /5\.0/],
      },
      {
        asks: 'restore cannot find a package, can I just put the public gallery into the sources?',
        says: [/Olga|on purpose|curated/],
      },
      {
        asks: 'pod is running but the service gives connection refused since the runtime bump',
        says: [/8080/],
      },
      {
        asks: 'which timezone are the due dates in that the branches send us?',
        says: [/Dublin/],
      },
      {
        asks: 'may I squash the upgrade branch into a single commit?',
        says: [/one commit per concern|release notes/],
      },
    ],
    unrelated: [
      'add an endpoint that lists overdue books per reader',
      'our Serilog output is not JSON on staging, please look into the config',
      'write a test for the barcode checksum',
    ],
  },
};
