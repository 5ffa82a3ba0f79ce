import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CALC = 'src/Pedidos/CalculadoraDesconto.cs';
const PROGRAM = 'src/Pedidos/Program.cs';
const SETTINGS = 'src/Pedidos/appsettings.json';
const LOYALTY = 'src/Pedidos/Regras/RegraFidelidade.cs';
const COUPON = 'src/Pedidos/Regras/RegraCupom.cs';
const RULE = 'src/Pedidos/Regras/IRegraDesconto.cs';

export const dotnetPricingPt: SurveySession = {
  name: 'dotnet-pricing-pt',
  about:
    'A discount switch becomes one class per rule; the ceiling changes twice, the reflection scan is undone.',
  kind: 'refactoring',
  language: 'pt',
  ecosystem: 'dotnet',
  files: {
    [CALC]: `namespace Pedidos;

public class CalculadoraDesconto
{
    public decimal Calcular(Pedido pedido)
    {
        var total = pedido.Subtotal;
        foreach (var tipo in pedido.Descontos)
        {
            switch (tipo)
            {
                case "fidelidade":
                    total = Math.Round(total * 0.95m, 2, MidpointRounding.AwayFromZero);
                    break;
                case "cupom":
                    total = Math.Round(total - pedido.ValorCupom, 2, MidpointRounding.AwayFromZero);
                    break;
            }
        }
        var minimo = pedido.Subtotal * (1 - 0.15m);
        return Math.Max(total, minimo);
    }
}
`,
    [PROGRAM]: `using Pedidos;

var builder = WebApplication.CreateSlimBuilder(args);
builder.Services.AddSingleton<CalculadoraDesconto>();
var app = builder.Build();
app.Run();
`,
    [SETTINGS]: `{
  "Logging": { "LogLevel": { "Default": "Information" } }
}
`,
    'src/Pedidos/Pedidos.csproj': `<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <PublishAot>true</PublishAot>
  </PropertyGroup>
</Project>
`,
    'tests/Pedidos.Tests/CalculadoraDescontoTests.cs': `namespace Pedidos.Tests;

public class CalculadoraDescontoTests
{
    [Fact]
    public void FidelidadeAntesDoCupom()
    {
        var pedido = new Pedido(100m, ["fidelidade", "cupom"], valorCupom: 10m);
        Assert.Equal(85.00m, Calculadora().Calcular(pedido));
    }
}
`,
  },
  programs: {
    dotnet: `#!/bin/sh
case "$1" in
  test)
    if grep -q 'OrderBy(r => r.GetType().Name)' src/Pedidos/CalculadoraDesconto.cs; then
      echo "Com falha FidelidadeAntesDoCupom: Esperado: 85,00 Obtido: 85,50"
      exit 1
    fi
    echo "Aprovado! - Com falha: 0, Aprovado: 23, Total: 23" ;;
  publish)
    if grep -q 'GetTypes()' src/Pedidos/Program.cs; then
      echo "Program.cs(4): warning IL2026: Assembly.GetTypes() requires unreferenced code; types might be removed"
    else
      echo "0 Aviso(s)"
    fi
    echo "Pedidos -> publish/Pedidos" ;;
esac
`,
  },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say('Vou começar lendo a calculadora e rodando os testes para ter uma linha de base.'),
          read(CALC),
          read(PROGRAM),
          read(SETTINGS),
          run('dotnet test', 'Testes antes da refatoração', 'Aprovado: 23'),
        ],
        [
          say(
            'Base verde com 23 testes. Crio uma interface `IRegraDesconto`, uma classe por regra, e registro as regras por varredura do assembly, para que uma regra nova não exija mexer no `Program.cs`.',
          ),
          write(
            RULE,
            `namespace Pedidos.Regras;

public interface IRegraDesconto
{
    string Tipo { get; }
    decimal Aplicar(decimal total, Pedido pedido);
}
`,
          ),
          write(
            LOYALTY,
            `namespace Pedidos.Regras;

public class RegraFidelidade : IRegraDesconto
{
    public string Tipo => "fidelidade";
    public decimal Aplicar(decimal total, Pedido pedido) =>
        Math.Round(total * 0.95m, 2, MidpointRounding.AwayFromZero);
}
`,
          ),
          write(
            COUPON,
            `namespace Pedidos.Regras;

public class RegraCupom : IRegraDesconto
{
    public string Tipo => "cupom";
    public decimal Aplicar(decimal total, Pedido pedido) =>
        Math.Round(total - pedido.ValorCupom, 2);
}
`,
          ),
          write(
            CALC,
            `using Pedidos.Regras;

namespace Pedidos;

public class CalculadoraDesconto(IEnumerable<IRegraDesconto> regras, IConfiguration config)
{
    public decimal Calcular(Pedido pedido)
    {
        var total = pedido.Subtotal;
        foreach (var regra in regras.OrderBy(r => r.GetType().Name))
        {
            if (pedido.Descontos.Contains(regra.Tipo)) total = regra.Aplicar(total, pedido);
        }
        var minimo = pedido.Subtotal * (1 - config.GetValue<decimal>("Desconto:Teto"));
        return Math.Max(total, minimo);
    }
}
`,
          ),
          edit(
            PROGRAM,
            'builder.Services.AddSingleton<CalculadoraDesconto>();',
            `foreach (var tipo in typeof(Program).Assembly.GetTypes().Where(t => t.IsClass && t.IsAssignableTo(typeof(IRegraDesconto))))
    builder.Services.AddSingleton(typeof(IRegraDesconto), tipo);
builder.Services.AddSingleton<CalculadoraDesconto>();`,
          ),
          edit(PROGRAM, 'using Pedidos;', 'using Pedidos;\nusing Pedidos.Regras;'),
          edit(
            SETTINGS,
            '{ "LogLevel": { "Default": "Information" } }',
            '{ "LogLevel": { "Default": "Information" } },\n  "Desconto": { "Teto": 0.15 }',
          ),
          fail('dotnet test', 'Testes depois da extração', 'Esperado: 85,00 Obtido: 85,50'),
        ],
        [
          say(
            'O teste pegou uma diferença real: em ordem alfabética o cupom vem antes da fidelidade, e (100 − 10) × 0,95 dá 85,50 em vez de 85,00. A fidelidade é percentual e o cupom é valor fixo, então a ordem das regras muda o preço. A ordem precisa ser explícita.',
          ),
          edit(RULE, '    string Tipo { get; }', '    string Tipo { get; }\n    int Ordem { get; }'),
          edit(
            LOYALTY,
            'public string Tipo => "fidelidade";',
            'public string Tipo => "fidelidade";\n    public int Ordem => 10;',
          ),
          edit(
            COUPON,
            'public string Tipo => "cupom";',
            'public string Tipo => "cupom";\n    public int Ordem => 20;',
          ),
          edit(CALC, 'regras.OrderBy(r => r.GetType().Name)', 'regras.OrderBy(r => r.Ordem)'),
          run('dotnet test', 'Testes com ordem explícita', 'Aprovado: 23'),
        ],
        [
          say(`Refatoração concluída, os 23 testes passam. ✅

### O que mudou
- O \`switch\` da \`CalculadoraDesconto\` deu lugar a \`RegraFidelidade\` e \`RegraCupom\`, ambas implementando \`IRegraDesconto\`.
- As regras são registradas por varredura do assembly no \`Program.cs\`.
- O teto saiu do código e está em \`appsettings.json\`, em \`Desconto:Teto\`, com 0.15.

### Atenção
A ordem das regras altera o preço: fidelidade (Ordem 10) tem que vir antes do cupom (Ordem 20). Com a ordem invertida, um pedido de R$ 100 sai por 85,50 em vez de 85,00. Toda regra nova precisa de uma \`Ordem\` pensada.

Se quiser, posso também escrever testes para cada regra isolada. Qualquer coisa é só chamar!`),
        ],
        [
          say('Primeiro confirmo o aviso do trimming, depois troco pelo registro explícito.'),
          run('dotnet publish -c Release', 'Publicação AOT com a varredura', 'warning IL2026'),
          edit(
            PROGRAM,
            `foreach (var tipo in typeof(Program).Assembly.GetTypes().Where(t => t.IsClass && t.IsAssignableTo(typeof(IRegraDesconto))))
    builder.Services.AddSingleton(typeof(IRegraDesconto), tipo);`,
            `builder.Services.AddSingleton<IRegraDesconto, RegraFidelidade>();
builder.Services.AddSingleton<IRegraDesconto, RegraCupom>();`,
          ),
          edit(SETTINGS, '"Teto": 0.15', '"Teto": 0.20'),
          run('dotnet publish -c Release', 'Publicação AOT com registro explícito', '0 Aviso(s)'),
          run('dotnet test', 'Testes de novo', 'Aprovado: 23'),
        ],
        [
          say(
            'Feito. A varredura por reflexão saiu: com Native AOT o `dotnet publish` avisava IL2026, e as classes de regra poderiam sumir do binário sem nenhum erro de compilação. Agora cada regra é registrada explicitamente no `Program.cs`, e a publicação fica sem avisos. O teto está em 0.20.',
          ),
        ],
        [
          say('Boa observação sobre o arredondamento, vou conferir as regras.'),
          run('grep -rn "Math.Round" src/Pedidos', 'Procurar arredondamentos', 'pedido.ValorCupom, 2)'),
          edit(
            COUPON,
            'Math.Round(total - pedido.ValorCupom, 2)',
            'Math.Round(total - pedido.ValorCupom, 2, MidpointRounding.AwayFromZero)',
          ),
          edit(SETTINGS, '"Teto": 0.20', '"Teto": 0.18'),
          run('dotnet test', 'Testes finais', 'Aprovado: 23'),
        ],
        [
          say(
            'O teto final é 0.18, em `Desconto:Teto`, conforme o financeiro. E havia mesmo um erro meu: na extração, a `RegraCupom` tinha perdido o `MidpointRounding.AwayFromZero`, e o padrão do .NET é o arredondamento bancário, que em meio centavo vai para o par. Nenhum dos 23 testes percebeu, porque nenhum cai em meio centavo. Corrigido; a `RegraFidelidade` já estava certa.\n\nNão fiz commit. Bom trabalho por aí!',
          ),
        ],
      ],
    };
  },
  prompts: [
    'refatora a CalculadoraDesconto pra mim, esse switch vai virar um monstro. uma classe por regra. o teto de desconto hj ta hardcoded, poe no appsettings com 0.15 mesmo. nomes de domínio sempre em português',
    'ficou bom. mas desfaz a varredura por reflexão, a gente publica com native aot e o trimming come as classes. registro explícito. e o teto melhor 0.20',
    'financeiro respondeu agora: teto final é 0.18, não 0.20, acima disso a margem fica negativa. e confere se todo Math.Round tá com AwayFromZero, o fiscal exige',
  ],
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'decision', 'refactor'],
        says: [/ordem/, /fidelidade/, /cupom/, /85,50|preço|antes/],
      },
      {
        type: ['decision', 'preference', 'change'],
        says: [/teto/, /0[.,]18|18 ?%/],
      },
      {
        type: ['decision', 'gotcha', 'preference', 'refactor', 'change', 'bugfix'],
        says: [/reflexão|varredura/, /AOT|trimming|IL2026/],
      },
      {
        type: ['preference', 'gotcha', 'bugfix', 'decision'],
        says: [/AwayFromZero/, /fiscal|bancário|RegraCupom/],
      },
      {
        type: ['refactor', 'change', 'decision', 'how-it-works'],
        says: [/IRegraDesconto|RegraFidelidade|uma classe por regra/, /switch|CalculadoraDesconto|registrad/],
      },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/nomes de domínio/, /português/] },
      { type: ['decision', 'gotcha', 'discovery', 'preference'], says: [/financeiro|teto/, /margem/] },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/testes/, /meio centavo/],
      },
      {
        type: ['how-it-works', 'change', 'refactor'],
        says: [/Desconto:Teto|appsettings/],
        files: [SETTINGS],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/CalculadoraDesconto|classe por regra/],
        completed: [/RegraFidelidade|IRegraDesconto|23 testes/],
        filesModified: [CALC],
      },
      {
        prompt: 2,
        request: [/reflexão/],
        completed: [/explicitamente|registro explícito|varredura por reflexão saiu/],
        filesModified: [PROGRAM],
      },
      {
        prompt: 3,
        request: [/0\.18|AwayFromZero/],
        completed: [/0\.18|AwayFromZero/],
        filesModified: [COUPON, SETTINGS],
      },
    ],
    noise: [
      /Vou começar lendo/,
      /é só chamar/,
      /Se quiser, posso também/,
      /Boa observação/,
      /Bom trabalho por aí/,
      /Primeiro confirmo/,
    ],
    untrue: [
      /regras são registradas por varredura/,
      /O teto está em 0[.,]20/,
      /Desconto:Teto`?, com 0[.,]15/,
      /teto (final|atual|é|de)( é)?( de)? 0[.,](15|20?)(?!\d)/,
    ],
    followUps: [
      {
        asks: 'vou criar uma regra de desconto de aniversário, o que preciso cuidar?',
        says: [/ordem/],
      },
      { asks: 'qual é o desconto máximo que um pedido pode ter hoje?', says: [/0[.,]18|18 ?%/] },
      {
        asks: 'posso registrar os handlers com Assembly.GetTypes pra não repetir código no Program.cs?',
        says: [/AOT|trimming|IL2026/],
      },
      { asks: 'como a gente arredonda centavos nesse projeto?', says: [/AwayFromZero/] },
      {
        asks: 'um cliente fidelidade usou cupom de 10 reais numa compra de 100 e pagou 85, tá certo?',
        says: [/85,00|fidelidade.*antes|Ordem 10/],
      },
    ],
    unrelated: [
      'como configuro o healthcheck do container no docker compose?',
      'atualiza o CHANGELOG com a versão 2.4.0',
      'qual banco de dados os testes de integração usam?',
    ],
  },
};
