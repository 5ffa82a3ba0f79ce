import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MANIFEST = 'package.json';
const FIELD = 'src/components/CampoCpf.tsx';
const SEARCH = 'src/components/Busca.tsx';
const MASK = 'src/utils/mascaraCpf.ts';
const SHELL = 'docs/portal-shell.md';

export const migracaoReact19: SurveySession = {
  name: 'migracao-react19',
  about: 'React 18 to 19 in a micro-frontend: a pinned version, a mask library that cannot come along.',
  kind: 'upgrade',
  language: 'pt',
  ecosystem: 'react',
  files: {
    [MANIFEST]: `{
  "name": "cadastro-mfe",
  "private": true,
  "scripts": { "build": "vite build", "test": "vitest run", "typecheck": "tsc --noEmit", "preview:shell": "portal-shell mount ." },
  "dependencies": {
    "react": "^18.3.1",
    "react-dom": "^18.3.1",
    "react-br-mask": "2.0.4"
  },
  "devDependencies": {
    "@types/react": "^18.3.12",
    "typescript": "~5.6.3",
    "vite": "^5.4.10",
    "vitest": "^2.1.4"
  }
}
`,
    [FIELD]: `import InputMask from 'react-br-mask';

type Props = { valor: string; aoMudar: (valor: string) => void };

export function CampoCpf({ valor, aoMudar }: Props) {
  return <InputMask mask="999.999.999-99" value={valor} onChange={(e) => aoMudar(e.target.value)} />;
}
`,
    [SEARCH]: `import { useEffect, useRef } from 'react';

export function Busca() {
  const campo = useRef<HTMLInputElement>();
  useEffect(() => campo.current?.focus(), []);
  return <input ref={campo} placeholder="Buscar cliente" />;
}
`,
    'src/components/CampoCpf.test.tsx': `import { render, screen } from '@testing-library/react';
import { CampoCpf } from './CampoCpf';

test('mostra o CPF com máscara', () => {
  render(<CampoCpf valor="12345678909" aoMudar={() => {}} />);
  expect(screen.getByRole('textbox')).toHaveValue('123.456.789-09');
});
`,
    [SHELL]: `# Portal shell

O shell carrega os micro-frontends e fornece \`react\` 19.0.0 pelo import map (homologação desde 12/05).
\`react-dom\` vem no bundle de cada micro-frontend.
`,
    'vite.config.ts': `export default { build: { rollupOptions: { external: ['react'] } } };\n`,
  },
  programs: {
    npm: `#!/bin/sh
field=${FIELD}
case "$*" in
  install*--legacy-peer-deps*) echo "changed 6 packages in 4s" ;;
  install*)
    if grep -q react-br-mask package.json && grep -q '"react": ".*19' package.json && ! grep -q overrides package.json; then
      echo "npm error code ERESOLVE" >&2
      echo "npm error ERESOLVE could not resolve" >&2
      echo 'npm error peer react@"^17.0.0 || ^18.0.0" from react-br-mask@2.0.4' >&2
      exit 1
    fi
    echo "changed 5 packages, and audited 214 packages in 5s" ;;
  "ls react react-dom"*)
    if grep -q '"react-dom": "^19' package.json; then d=19.1.0; else d=19.0.0; fi
    echo "cadastro-mfe@ /app"; echo "+-- react-dom@$d"; echo "+-- react@$d" ;;
  "run typecheck"*)
    if grep -q 'useRef<HTMLInputElement>()' ${SEARCH}; then
      echo "${SEARCH}(4,17): error TS2554: Expected 1 arguments, but got 0."; exit 2
    fi
    echo "> tsc --noEmit" ;;
  test*)
    if grep -q react-br-mask "$field"; then
      echo " FAIL  src/components/CampoCpf.test.tsx > mostra o CPF com máscara"
      echo "TypeError: (0 , react_dom.findDOMNode) is not a function"
      echo " Tests  1 failed | 22 passed (23)"; exit 1
    fi
    echo " Tests  23 passed (23)" ;;
  "run preview:shell"*)
    if grep -q '"react-dom": "^19' package.json; then
      echo 'Error: Incompatible React versions: The "react" and "react-dom" packages must have the exact same version.'
      echo "  - react:      19.0.0"; echo "  - react-dom:  19.1.0"; exit 1
    fi
    echo "shell: cadastro-mfe montado" ;;
  "run build"*) echo "dist/cadastro.js  171.20 kB"; echo "built in 2.91s" ;;
  *) echo "10.8.2" ;;
esac
`,
  },
  prompts: [
    'bora subir esse mfe pra react 19, o shell já tá com ele em homolog. sem --legacy-peer-deps por favor, o CI roda npm ci limpo e quebra',
    'não quero lib de máscara nova não, da última vez levou 3 meses pro time de segurança aprovar. faz na mão em utils msm',
    'show. commita aí, em português e com o número do card na frente: CAD-771',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Beleza! Vou dar uma olhada no projeto antes de mexer.'),
          read(MANIFEST),
          run('git ls-files', 'Listar os arquivos', FIELD),
          run(
            'grep -rnE "react-br-mask|useRef<|defaultProps|findDOMNode" src',
            'Procurar APIs removidas',
            'react-br-mask',
          ),
        ],
        [
          edit(
            MANIFEST,
            '"react": "^18.3.1",\n    "react-dom": "^18.3.1"',
            '"react": "^19.0.0",\n    "react-dom": "^19.0.0"',
          ),
          edit(MANIFEST, '"@types/react": "^18.3.12"', '"@types/react": "^19.0.0"'),
        ],
        [fail('npm install', 'Instalar', 'ERESOLVE')],
        [
          say(
            'O react-br-mask só declara peer até o React 18. Pode ser só um peer desatualizado, então tento um `overrides` – isso o npm ci respeita, diferente do legacy-peer-deps.',
          ),
          edit(
            MANIFEST,
            '  "devDependencies"',
            '  "overrides": { "react-br-mask": { "react": "$react", "react-dom": "$react-dom" } },\n  "devDependencies"',
          ),
        ],
        [
          run('npm install', 'Instalar com overrides', 'changed 5 packages'),
          run('npm test 2>&1 | tail -3', 'Rodar os testes', '1 failed'),
        ],
        [
          say(
            'Instalou, mas não adianta: o react-br-mask chama `findDOMNode`, que foi removido no React 19, e o campo de CPF quebra em tempo de execução. O overrides só esconde o problema, desfaço.',
          ),
          edit(
            MANIFEST,
            '  "overrides": { "react-br-mask": { "react": "$react", "react-dom": "$react-dom" } },\n',
            '',
          ),
          read(FIELD),
        ],
        [
          say(
            `O upgrade esbarra no \`react-br-mask\`: a 2.0.4 é a última estável e o projeto está parado. Duas saídas:

- **A)** trocar por \`@react-input/mask\` (mantida, API parecida)
- **B)** escrever a máscara de CPF à mão, umas 10 linhas

Eu iria de A. Como prefere seguir?`,
          ),
        ],
        [
          say('Combinado, sem dependência nova.'),
          write(
            MASK,
            `export function mascaraCpf(texto: string): string {
  const d = texto.replace(/\\D/g, '').slice(0, 11);
  return d
    .replace(/^(\\d{3})(\\d)/, '$1.$2')
    .replace(/^(\\d{3}\\.\\d{3})(\\d)/, '$1.$2')
    .replace(/^(\\d{3}\\.\\d{3}\\.\\d{3})(\\d)/, '$1-$2');
}
`,
          ),
          edit(
            FIELD,
            "import InputMask from 'react-br-mask';",
            "import { mascaraCpf } from '../utils/mascaraCpf';",
          ),
          edit(
            FIELD,
            '<InputMask mask="999.999.999-99" value={valor} onChange={(e) => aoMudar(e.target.value)} />',
            '<input value={mascaraCpf(valor)} onChange={(e) => aoMudar(mascaraCpf(e.target.value))} />',
          ),
          edit(MANIFEST, '19.0.0",\n    "react-br-mask": "2.0.4"', '19.0.0"'),
        ],
        [
          run('npm install', 'Instalar', 'audited 214'),
          run('npm test', 'Rodar os testes', '23 passed'),
          fail('npm run typecheck', 'Checar os tipos', 'TS2554'),
        ],
        [
          say('Os tipos do React 19 exigem um argumento em `useRef`; `useRef<T>()` vazio não compila mais.'),
          read(SEARCH),
          edit(SEARCH, 'useRef<HTMLInputElement>()', 'useRef<HTMLInputElement>(null)'),
        ],
        [
          run('npm run typecheck && npm run build', 'Tipos e build', 'built in'),
          fail('npm run preview:shell', 'Montar dentro do shell', 'Incompatible React versions'),
        ],
        [
          say('Testes e build verdes, mas dentro do shell não monta. Vejo quem fornece o quê.'),
          run('npm ls react react-dom', 'Ver as versões resolvidas', '19.1.0'),
          read(SHELL),
        ],
        [
          say(
            'Achei: o shell fornece react 19.0.0 pelo import map e nós empacotamos o react-dom, que o `^` resolveu para 19.1.0. O React 19 exige versões idênticas dos dois, então fixo ambos em 19.0.0, sem circunflexo, até o shell subir.',
          ),
          edit(MANIFEST, '"react": "^19.0.0"', '"react": "19.0.0"'),
          edit(MANIFEST, '"react-dom": "^19.0.0"', '"react-dom": "19.0.0"'),
        ],
        [run('npm install && npm run preview:shell', 'Montar de novo no shell', 'montado')],
        [
          say(
            `Prontinho, migração concluída com sucesso! 🚀

**O que mudou**
- \`react\` e \`react-dom\` em 19.0.0 exato
- \`react-br-mask\` saiu; entrou \`mascaraCpf\` em \`src/utils\`
- \`useRef\` com \`null\` em \`Busca.tsx\`

**Atenção**
- O cursor pula para o fim quando se edita o meio do CPF: a máscara feita à mão não guarda a posição do cursor. Não tratei isso agora.
- \`npm test\` e o build não pegam o conflito de versão com o shell; só o \`npm run preview:shell\` pega.

Posso fazer o commit quando quiser!`,
          ),
        ],
        [
          run(
            'git add -A && git commit -qm "CAD-771 Migra para React 19 e troca react-br-mask por máscara própria" && git log --oneline -1',
            'Commitar',
            'CAD-771',
          ),
        ],
        [say('Commit feito. Qualquer coisa é só chamar!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha', 'bugfix', 'change'],
        says: [/19\.0\.0/, /shell/, /react-dom/, /import map|idênticas/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/react-br-mask|overrides/, /findDOMNode/],
        prompt: 1,
      },
      { type: 'preference', says: [/legacy-peer-deps/, /npm ci/], prompt: 1 },
      { type: ['preference', 'decision'], says: [/máscara/, /segurança|3 meses/], prompt: 2 },
      { type: ['gotcha', 'discovery'], says: [/cursor/, /máscara|CPF/], prompt: 2 },
      { type: 'preference', says: [/português/, /card/, /na frente/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/preview:shell/, /build/], prompt: 2 },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'change'],
        says: [/useRef/, /argumento|não compila/],
        prompt: 2,
      },
      { type: ['change', 'refactor', 'feature'], says: [/mascaraCpf|máscara própria/, /react-br-mask/] },
      { type: ['discovery', 'gotcha'], says: [/2\.0\.4/, /última estável|parado/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: [/react 19/], learned: [/react-br-mask|findDOMNode/] },
      {
        prompt: 2,
        request: [/máscara/],
        learned: [/19\.0\.0|shell|cursor|useRef/],
        completed: [/mascaraCpf|19\.0\.0|máscara/],
        filesModified: [MANIFEST, FIELD, SEARCH],
      },
      { prompt: 3, optional: true, request: [/CAD-771|commit/] },
    ],
    noise: [
      'Vou dar uma olhada no projeto antes de mexer',
      'Pode ser só um peer desatualizado',
      'migração concluída com sucesso',
      'Posso fazer o commit quando quiser',
      'Qualquer coisa é só chamar',
      'Eu iria de A',
      'Combinado, sem dependência nova',
    ],
    untrue: [
      /(adotad|adicionad|instalad)[oa] .{0,20}@react-input\/mask/,
      /overrides (resolve|resolveu|foi mantido)/,
      /fix(o|ado|ados|amos) .{0,25}19\.1\.0/,
    ],
    followUps: [
      {
        asks: 'o renovate abriu PR subindo o react-dom pra 19.2, posso mergear?',
        says: [/19\.0\.0/, /shell/],
      },
      {
        asks: 'um usuário reclamou que ao corrigir um dígito no meio do documento o campo vai parar no final. já sabíamos?',
        says: [/cursor/],
      },
      { asks: 'preciso formatar telefone no formulário, qual pacote instalo?', says: [/segurança|3 meses/] },
      {
        asks: 'deu ERESOLVE aqui instalando uma dependência, qual flag eu uso?',
        says: [/legacy-peer-deps/, /npm ci/],
      },
      {
        asks: 'por que a gente largou a biblioteca antiga do CPF em vez de forçar a peer?',
        says: [/findDOMNode/],
      },
      { asks: 'terminei minha tarefa, como escrevo a mensagem de commit?', says: [/português/, /card/] },
    ],
    unrelated: [
      'adiciona paginação na listagem de contratos',
      'traduz as mensagens de erro do formulário de endereço para espanhol',
      'o pipeline de deploy tá falhando por causa do token do sonar, dá uma olhada',
    ],
  },
};
