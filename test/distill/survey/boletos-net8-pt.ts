import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PROPS = 'Directory.Build.props';
const PACKAGES = 'Directory.Packages.props';
const CONTEXT = 'src/Cobranca.Dados/CobrancaContext.cs';
const BARCODE = 'src/Cobranca.Boletos/GeradorCodigoBarras.cs';
const TEXT = 'src/Cobranca.Boletos/DesenhoLinhaDigitavel.cs';
const PROJECT = 'src/Cobranca.Boletos/Cobranca.Boletos.csproj';
const TEST = 'tests/Cobranca.Boletos.Tests/LinhaDigitavelTests.cs';
const DOCKER = 'Dockerfile';
const DEPLOY = 'k8s/deployment.yaml';

const DOTNET = `#!/bin/sh
case "$1" in
  list)
    echo "Microsoft.EntityFrameworkCore.SqlServer  6.0.36  8.0.11"
    echo "System.Drawing.Common                    6.0.0   8.0.11"
    echo "Polly                                    7.2.4   8.5.0" ;;
  build) echo "Build succeeded. 0 Warning(s) 0 Error(s)" ;;
  test)
    if grep -q net8.0 ${PROPS} && ! grep -q UseCompatibilityLevel ${CONTEXT}; then
      cat <<'OUT'
Failed TitulosEmAbertoTests.FiltraPorCliente
  Microsoft.Data.SqlClient.SqlException : Incorrect syntax near '$'.
  SELECT [t].[Id] FROM [Titulos] AS [t] WHERE [t].[ClienteId] IN (SELECT [c].[value] FROM OPENJSON(@ids) WITH ([value] int '$') AS [c])
OUT
      exit 1
    fi
    if grep -q net8.0 ${PROPS} && grep -q System.Drawing ${BARCODE}; then
      echo "Failed CodigoBarrasTests.LeitorItf25"
      echo "  System.PlatformNotSupportedException : System.Drawing.Common is not supported on non-Windows platforms."
      exit 1
    fi
    if grep -q ImageSharp ${BARCODE}; then
      echo "Failed CodigoBarrasTests.LeitorItf25"
      echo "  barra 17 lida com 3 px, esperado 2 px"
      exit 1
    fi
    if [ -f ${TEST} ] && grep -q FontManager ${TEXT}; then
      echo "Failed LinhaDigitavelTests.TemTexto"
      echo "  0 pixels pretos na faixa da linha digitável"
      exit 1
    fi
    n=187; [ -f ${TEST} ] && n=188
    echo "Passed! - Failed: 0, Passed: $n, Skipped: 0" ;;
esac
`;

const KUBECTL = `#!/bin/sh
case "$*" in
  *logs*) echo "Now listening on: http://[::]:8080" ;;
  *apply*) echo "deployment.apps/cobranca-api configured" ;;
  *rollout*) echo "deployment cobranca-api successfully rolled out" ;;
  *) exit 1 ;;
esac
`;

export const boletosNet8Pt: SurveySession = {
  name: 'boletos net8 pt',
  about:
    'Uma API de cobrança sobe do .NET 6 para o 8: OPENJSON, código de barras, porta e fonte; uma biblioteca é testada e abandonada.',
  kind: 'upgrade',
  language: 'pt',
  ecosystem: 'dotnet',
  files: {
    [PROPS]: '<Project><PropertyGroup><TargetFramework>net6.0</TargetFramework></PropertyGroup></Project>\n',
    [PACKAGES]: `<Project>
  <ItemGroup>
    <PackageVersion Include="Microsoft.EntityFrameworkCore.SqlServer" Version="6.0.36" />
    <PackageVersion Include="System.Drawing.Common" Version="6.0.0" />
    <PackageVersion Include="SkiaSharp" Version="2.88.9" />
    <PackageVersion Include="SkiaSharp.NativeAssets.Linux" Version="2.88.9" />
    <PackageVersion Include="Polly" Version="7.2.4" />
  </ItemGroup>
</Project>
`,
    [CONTEXT]: `public class CobrancaContext : DbContext
{
    protected override void OnConfiguring(DbContextOptionsBuilder options) =>
        options.UseSqlServer(_conexao);

    public IQueryable<Titulo> EmAberto(int[] clientes) => Titulos.Where(t => clientes.Contains(t.ClienteId));
}
`,
    [BARCODE]: `using System.Drawing;

/// <summary>Intercalado 2 de 5, 44 dígitos.</summary>
public static class GeradorCodigoBarras
{
    public static byte[] Png(string codigo)
    {
        using var bmp = new Bitmap(Largura(codigo), 50);
        using var g = Graphics.FromImage(bmp);
        foreach (var barra in Barras(codigo)) g.FillRectangle(Brushes.Black, barra.X, 0, barra.Largura, 50);
        return ParaPng(bmp);
    }
}
`,
    [TEXT]: `using SkiaSharp;

public static class DesenhoLinhaDigitavel
{
    static readonly SKTypeface Fonte = FontManager.Padrao("Liberation Mono");
}
`,
    [PROJECT]: `<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <PackageReference Include="System.Drawing.Common" />
    <PackageReference Include="SkiaSharp" />
    <PackageReference Include="SkiaSharp.NativeAssets.Linux" />
  </ItemGroup>
</Project>
`,
    'src/Cobranca.Boletos/fontes/LEIAME.txt': 'LiberationMono-Regular.ttf, licença OFL\n',
    [DOCKER]: `FROM mcr.microsoft.com/dotnet/sdk:6.0 AS build
WORKDIR /src
COPY . .
RUN dotnet publish src/Cobranca.Api -c Release -o /app

FROM mcr.microsoft.com/dotnet/aspnet:6.0
RUN apt-get update && apt-get install -y libfontconfig1 fonts-liberation
COPY --from=build /app /app
ENTRYPOINT ["dotnet", "/app/Cobranca.Api.dll"]
`,
    [DEPLOY]: `kind: Deployment
spec:
  containers:
    - name: cobranca-api
      ports:
        - containerPort: 80
      readinessProbe:
        httpGet: { path: /healthz, port: 80 }
---
kind: Service
spec:
  ports:
    - port: 80
      targetPort: 80
`,
  },
  programs: { dotnet: DOTNET, kubectl: KUBECTL },
  prompts: [
    'bora subir a cobranca-api do .net 6 pro 8, o 6 já saiu de suporte. ef core junto. só NÃO pode mexer no nível de compatibilidade do banco (tá em 110), o Rogério não libera pq o ERP antigo usa a mesma base. usa um subagente pra levantar os pacotes',
    `subi a imagem em homologação e o pod não fica ready:

Warning  Unhealthy  12s (x9 over 92s)  kubelet  Readiness probe failed: Get "http://10.42.3.17:80/healthz": dial tcp 10.42.3.17:80: connect: connection refused

o Service tem que continuar na 80, o gateway é de outro time. pode aplicar em homologação`,
    'pod ok. só que agora o boleto sai sem a linha digitável, só aparecem as barras. no meu windows sai certinho',
    'fechou!! commita em três: upgrade, boletos e k8s. e produção só depois do dia 10, até lá é semana de vencimento e ninguém encosta na cobrança',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Beleza! Enquanto o subagente levanta os pacotes, eu olho o resto.'),
          delegate(
            'Levantar pacotes',
            'LEVANTAR-PACOTES: liste os pacotes da solução, a versão atual e a que serve para net8.0, e diga o que quebra. Não altere nada.',
          ),
          read(PROPS),
          read(DOCKER),
        ],
        [
          read(PACKAGES),
          read(CONTEXT),
          edit(PROPS, 'net6.0', 'net8.0'),
          edit(DOCKER, 'dotnet/sdk:6.0', 'dotnet/sdk:8.0'),
          edit(DOCKER, 'dotnet/aspnet:6.0', 'dotnet/aspnet:8.0'),
        ],
        [
          edit(PACKAGES, 'Version="6.0.36"', 'Version="8.0.11"'),
          edit(PACKAGES, 'Version="6.0.0"', 'Version="8.0.11"'),
          run('dotnet build', 'Compilar', 'Build succeeded'),
        ],
        [fail('dotnet test', 'Testes', 'OPENJSON')],
        [
          say(
            'Compila, mas a consulta quebra no banco: o EF Core 8 traduz `Contains` com uma lista para `OPENJSON`, que só existe a partir do nível de compatibilidade 130. Como o banco fica em 110, quem tem que saber disso é o EF.',
          ),
          edit(
            CONTEXT,
            'options.UseSqlServer(_conexao);',
            'options.UseSqlServer(_conexao, sql => sql.UseCompatibilityLevel(110)); // o ERP usa a mesma base',
          ),
        ],
        [fail('dotnet test', 'Testes de novo', 'System.Drawing.Common is not supported')],
        [
          say(
            'O subagente não tinha como ver isto: desde o .NET 7 o `System.Drawing.Common` só funciona em Windows, e a chave que religava no Linux foi removida. O gerador de código de barras precisa de outra biblioteca. Vou de ImageSharp, que é gerenciada e não traz binário nativo.',
          ),
          read(BARCODE),
          read(PROJECT),
        ],
        [
          edit(BARCODE, 'using System.Drawing;', 'using SixLabors.ImageSharp;'),
          fail('dotnet test', 'Com ImageSharp', 'barra 17 lida com 3 px'),
        ],
        [
          edit(
            BARCODE,
            '        foreach (var barra',
            '        var opcoes = new DrawingOptions { GraphicsOptions = { Antialias = false } };\n        foreach (var barra',
          ),
          fail('dotnet test', 'Sem suavização', 'barra 17 lida com 3 px'),
        ],
        [
          say(
            'Mesmo com `Antialias = false` o ImageSharp arredonda as barras estreitas de 2 para 3 px, e o leitor ITF recusa. Além disso, a licença da Six Labors é paga para empresas do nosso tamanho. Deixo o ImageSharp de lado e uso SkiaSharp, que já está no projeto por causa da linha digitável e aceita retângulos em pixels inteiros. O pacote nativo passa a ser o `NoDependencies`, assim a imagem não depende mais do libfontconfig.',
          ),
          write(
            BARCODE,
            `using SkiaSharp;

/// <summary>Intercalado 2 de 5, 44 dígitos.</summary>
public static class GeradorCodigoBarras
{
    static readonly SKPaint Preto = new() { Color = SKColors.Black, IsAntialias = false };

    public static byte[] Png(string codigo)
    {
        using var bmp = new SKBitmap(Largura(codigo), 50);
        using var g = new SKCanvas(bmp);
        foreach (var barra in Barras(codigo)) g.DrawRect(SKRectI.Create(barra.X, 0, barra.Largura, 50), Preto);
        return ParaPng(bmp);
    }
}
`,
          ),
          edit(
            PROJECT,
            '    <PackageReference Include="System.Drawing.Common" />\n    <PackageReference Include="SkiaSharp" />\n    <PackageReference Include="SkiaSharp.NativeAssets.Linux" />',
            '    <PackageReference Include="SkiaSharp" />\n    <PackageReference Include="SkiaSharp.NativeAssets.Linux.NoDependencies" />',
          ),
          edit(PACKAGES, '    <PackageVersion Include="System.Drawing.Common" Version="8.0.11" />\n', ''),
          edit(PACKAGES, 'SkiaSharp.NativeAssets.Linux"', 'SkiaSharp.NativeAssets.Linux.NoDependencies"'),
        ],
        [run('dotnet test', 'Com SkiaSharp', 'Passed: 187')],
        [
          say(`Prontinho, a cobranca-api está no .NET 8! Os 187 testes passam.

**O que mudou**
- \`net8.0\` em todos os projetos e EF Core 8.0.11.
- \`UseCompatibilityLevel(110)\` no \`CobrancaContext\`. Sem isso o EF gera \`OPENJSON\` e o SQL Server responde "Incorrect syntax near '$'". O nível do banco continua como estava.
- Código de barras em **SkiaSharp** com \`IsAntialias = false\`.
- No Dockerfile só troquei as tags para 8.0; fora isso a imagem se comporta igual e o manifesto do k8s não precisa mudar.

**O que não mudou**
- O Polly ficou na 7.2.4. A 8 tem outra API (pipelines no lugar de policies) e merece uma tarefa própria; a 7 roda normalmente no net8.0.

Quer que eu já suba o Polly também?`),
        ],
        [
          say('Vou ver em que porta o processo está escutando.'),
          run(
            'kubectl -n hml logs deploy/cobranca-api | tail -1',
            'Porta em uso',
            'listening on: http://[::]:8080',
          ),
          read(DEPLOY),
        ],
        [
          say(
            'As imagens aspnet a partir da 8.0 escutam na 8080 em vez da 80, porque podem rodar com o usuário sem privilégios `app`. O Service continua na 80, só o destino muda.',
          ),
          edit(
            DEPLOY,
            'containerPort: 80\n      readinessProbe:\n        httpGet: { path: /healthz, port: 80 }',
            'containerPort: 8080\n      readinessProbe:\n        httpGet: { path: /healthz, port: 8080 }',
          ),
          edit(DEPLOY, 'targetPort: 80', 'targetPort: 8080'),
        ],
        [
          run(
            `kubectl -n hml apply -f ${DEPLOY} && kubectl -n hml rollout status deploy/cobranca-api`,
            'Aplicar em homologação',
            'successfully rolled out',
          ),
        ],
        [
          say(
            'Pod de pé em homologação. O container escuta na **8080** (containerPort, probe e targetPort), o Service segue na 80, então o gateway não percebe nada. Se alguém preferir a porta antiga, existe `ASPNETCORE_HTTP_PORTS=80`, mas aí o container precisa rodar como root; por isso não fui por esse caminho. Qualquer coisa é só chamar!',
          ),
        ],
        [
          say('Deve ser a fonte. Olho como ela é carregada e escrevo um teste que conta os pixels do texto.'),
          read(TEXT),
          write(
            TEST,
            `public class LinhaDigitavelTests
{
    [Fact]
    public void TemTexto() => Assert.True(PixelsPretos(DesenhoLinhaDigitavel.Png("34191.79001 01043.510047")) > 0);
}
`,
          ),
        ],
        [fail('dotnet test', 'Tem que falhar', '0 pixels pretos')],
        [
          say(
            'O pacote `NoDependencies` do SkiaSharp vem sem fontconfig: no container ele não enxerga nenhuma fonte instalada e desenha texto vazio, sem erro. No Windows a fonte vem do sistema. O `fonts-liberation` que o Dockerfile instala não ajuda, ninguém mais o procura; a fonte tem que ir embutida na DLL.',
          ),
          edit(
            TEXT,
            'FontManager.Padrao("Liberation Mono");',
            'SKTypeface.FromStream(typeof(DesenhoLinhaDigitavel).Assembly.GetManifestResourceStream("LiberationMono-Regular.ttf"));',
          ),
          edit(
            PROJECT,
            '  <ItemGroup>\n',
            '  <ItemGroup>\n    <EmbeddedResource Include="fontes/LiberationMono-Regular.ttf" LogicalName="LiberationMono-Regular.ttf" />\n',
          ),
        ],
        [
          edit(DOCKER, 'RUN apt-get update && apt-get install -y libfontconfig1 fonts-liberation\n', ''),
          run('dotnet test', 'De novo', 'Passed: 188'),
        ],
        [
          say(`Resolvido, a linha digitável voltou.

- Não era o .NET 8 em si, e sim a troca para o pacote \`NoDependencies\`.
- A fonte LiberationMono vai como \`EmbeddedResource\` e é carregada com \`SKTypeface.FromStream\`; a linha do \`apt-get\` saiu do Dockerfile.
- **Atenção daqui pra frente:** qualquer texto novo desenhado com SkiaSharp no servidor precisa de fonte embutida; \`FromFamilyName\` devolve uma fonte vazia no container e ninguém reclama.

Posso gerar um PDF de exemplo pra você conferir, se quiser.`),
        ],
        [
          run(
            `git add ${BARCODE} ${TEXT} ${PROJECT} tests && git commit -qm "boletos: SkiaSharp e fonte embutida" && git add ${DEPLOY} && git commit -qm "k8s: porta 8080" && git add -A && git commit -qm "upgrade para .NET 8" && git log --oneline | wc -l`,
            'Três commits',
            '4',
          ),
        ],
        [
          say(
            'Três commits feitos, nada foi enviado para produção. Uma observação: o commit dos boletos sozinho não compila, porque a versão do pacote nativo do SkiaSharp está no `Directory.Packages.props`, que entrou no commit do upgrade; se precisar reverter, reverta os dois juntos. Bom descanso e boa semana de vencimento!',
          ),
        ],
      ],
      subagents: {
        'LEVANTAR-PACOTES': [
          [
            read(PACKAGES),
            run('dotnet list package --outdated', 'Pacotes e versões', 'System.Drawing.Common'),
          ],
          [
            say(
              'Três pacotes diretos. EF Core SqlServer 6.0.36 → 8.0.11, System.Drawing.Common 6.0.0 → 8.0.11, Polly 7.2.4 → 8.5.0 (API nova, opcional). Todos os pacotes são compatíveis com net8.0, basta subir as versões. A Polly 7.2.4 também funciona em net8.0.',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery', 'how-it-works', 'change'],
        says: [/OPENJSON/, /UseCompatibilityLevel|110|130/],
        prompt: 1,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/compatibilidade/, /ERP|Rogério/],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'bugfix'],
        says: [/ImageSharp/, /3 px|licença|recusa|barras? estreitas?/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'change', 'decision'],
        says: [/System\.Drawing/, /Windows|Linux/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'change', 'decision'],
        says: [/8080/, /Service|targetPort|escuta/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'change'],
        says: [/fonte/, /fontconfig|embutida|EmbeddedResource|FromStream/],
        prompt: 3,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/dia 10/, /produção|vencimento/], prompt: 4 },
    ],
    niceToHave: [
      {
        type: ['change', 'refactor', 'feature', 'decision'],
        says: [/\.NET 8|net8\.0/, /EF Core|net8\.0|cobranca-api/],
      },
      { type: ['decision', 'discovery', 'gotcha'], says: [/Polly/, /7\.2\.4|pipelines|própria|opcional/] },
      { type: ['decision', 'gotcha', 'discovery'], says: [/ASPNETCORE_HTTP_PORTS/, /root/] },
      {
        type: ['change', 'bugfix', 'decision', 'feature', 'refactor'],
        says: [/SkiaSharp/, /código de barras|IsAntialias|pixels inteiros/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/Service/, /\b80\b/, /gateway/],
        prompt: 2,
      },
      { type: ['gotcha', 'discovery'], says: [/commit/, /não compila|reverta|reverter/], prompt: 4 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/\.net 6|compatibilidade|ef core/],
        learned: [/OPENJSON|System\.Drawing|ImageSharp/],
        completed: [/net8\.0|\.NET 8|UseCompatibilityLevel|SkiaSharp/],
        filesModified: [PROPS, PACKAGES, CONTEXT, BARCODE],
      },
      {
        prompt: 2,
        request: [/pod|homologação|Service/],
        learned: [/8080/],
        filesModified: [DEPLOY],
      },
      {
        prompt: 3,
        request: [/linha digitável/],
        learned: [/fontconfig|fonte/],
        completed: [/fonte|EmbeddedResource|linha digitável/],
        filesModified: [TEXT, PROJECT],
      },
      { prompt: 4, request: [/commita|produção|dia 10/], completed: [/commits?/] },
    ],
    noise: [
      'Enquanto o subagente levanta os pacotes',
      'Prontinho',
      'Os 187 testes passam',
      'Quer que eu já suba o Polly também',
      'Vou ver em que porta',
      'Posso gerar um PDF de exemplo',
      'Qualquer coisa é só chamar',
      'Bom descanso',
    ],
    untrue: [
      /todos os pacotes são compatíveis/,
      /basta subir as versões/,
      /vou de ImageSharp(?![\s\S]*(de lado|recusa|licença|SkiaSharp))/,
      /a imagem se comporta igual/,
      /manifesto do k8s não precisa mudar/,
    ],
    followUps: [
      {
        asks: 'em outro serviço que migramos, filtrar por uma coleção de ids dá erro de sintaxe perto de cifrão no SQL Server. já vimos isso?',
        says: [/OPENJSON|UseCompatibilityLevel/],
      },
      {
        asks: 'dá pra pedir pro DBA aumentar o compatibility level dessa base?',
        says: [/ERP|Rogério/],
      },
      {
        asks: 'quero escrever o nome do pagador na imagem gerada no servidor, tem alguma pegadinha no linux?',
        says: [/fonte/, /embutida|EmbeddedResource|fontconfig|FromStream/],
      },
      {
        asks: 'por que não adotamos a lib da Six Labors pra desenhar as barras?',
        says: [/3 px|licença|recusa/],
      },
      {
        asks: 'o container da API de cobrança atende em qual porta agora, e quem chama de fora precisa mudar algo?',
        says: [/8080/],
      },
    ],
    unrelated: [
      'cria um relatório em excel dos clientes sem e-mail cadastrado',
      'qual a diferença entre record e class em C#?',
      'o webhook de notificação por SMS tá mandando a mensagem duas vezes, investiga?',
    ],
  },
};
