import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PEDIDOS = `const { Schema, model } = require('mongoose');

const pedido = new Schema({ numero: String, cliente: Schema.Types.ObjectId, criadoEm: Date });
pedido.index({ numero: 1 });

module.exports = model('Pedido', pedido);
`;

const RELATORIO = `const Pedido = require('./pedido');

exports.contar = (filtro, cb) => Pedido.count(filtro, cb);

exports.porCliente = (id) =>
  Pedido.aggregate([
    { $match: { cliente: id } },
    { $lookup: { from: 'itens', localField: '_id', foreignField: 'pedidoId', as: 'itens' } },
  ]);
`;

const NPM = `#!/bin/sh
case "$*" in
  *install*) echo "changed 4 packages in 6s"; exit 0 ;;
esac
if grep -q "count(filtro, cb)" src/relatorio.js; then
  echo "MongooseError: Model.count() no longer accepts a callback"
  echo "Tests: 7 failed, 212 passed"; exit 1
fi
if ! grep -q strictQuery src/db.js; then
  echo "1) filtro por campo antigo: expected 918 documents, got 0"
  echo "Tests: 1 failed, 218 passed"; exit 1
fi
echo "Tests: 219 passed"
`;

const MONGOSH = `#!/bin/sh
case "$*" in
  *getIndexes*)
    case "$*" in
      *prod*) echo "[ { name: '_id_' }, { name: 'pedidoId_1' } ]" ;;
      *) if [ -e .indice ]; then echo "[ { name: '_id_' }, { name: 'pedidoId_1' } ]"; else echo "[ { name: '_id_' } ]"; fi ;;
    esac ;;
  *createIndex*) touch .indice; echo "pedidoId_1" ;;
  *forceClassicEngine*) echo "{ was: 'trySbeRestricted', ok: 1 }" ;;
  *trySbeRestricted*) echo "{ was: 'forceClassicEngine', ok: 1 }" ;;
  *setFeatureCompatibilityVersion*6.0*) echo "{ ok: 1 }" ;;
  *getParameter*featureCompatibilityVersion*) echo "{ featureCompatibilityVersion: { version: '6.0' }, ok: 1 }" ;;
  *) echo "{ ok: 1 }" ;;
esac
`;

const BENCH = `#!/bin/sh
if [ -e .indice ]; then echo "porCliente: p50 31 ms p95 74 ms"; else echo "porCliente: p50 1210 ms p95 1940 ms"; fi
`;

export const mongoSetePt: SurveySession = {
  name: 'mongo-sete-pt',
  about: 'MongoDB goes from 5 to 7 by way of 6; a slow query turns out to be a missing index of the copy.',
  kind: 'upgrade',
  language: 'pt',
  ecosystem: 'mongodb',
  files: {
    'src/pedido.js': PEDIDOS,
    'src/relatorio.js': RELATORIO,
    'src/db.js': "const mongoose = require('mongoose');\n\nmongoose.connect(process.env.MONGO_URL);\n",
    'package.json': '{ "name": "pedidos", "dependencies": { "mongoose": "6.12.0" } }\n',
    'deploy/mongo.yml': 'image: mongo:5.0.24\nreplicas: 3\n',
    'docs/restauracao.md':
      'Homologação: mongorestore --noIndexRestore --drop dump/ (mais rápido, copia de domingo)\n',
  },
  programs: { npm: NPM, mongosh: MONGOSH, 'bench-relatorio': BENCH },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say('Vou olhar primeiro o que a aplicação usa do driver e a imagem do banco.'),
          read('src/pedido.js'),
          read('src/relatorio.js'),
          read('src/db.js'),
          read('package.json'),
          read('deploy/mongo.yml'),
        ],
        [
          say(
            'Não dá para pular direto do 5.0 para o 7.0: o mongod 7.0 recusa subir se o featureCompatibilityVersion for 5.0. O caminho é 5.0 → 6.0, setFeatureCompatibilityVersion "6.0", e só então 7.0. Começo pelo mongoose, porque o 6 não fala oficialmente com o servidor 7.0.',
          ),
          edit('package.json', '"mongoose": "6.12.0"', '"mongoose": "8.4.1"'),
          run('npm install', 'Instalar', 'changed 4 packages'),
          fail('npm test', 'Testes', '7 failed'),
        ],
        [
          say(
            'No mongoose 8 os callbacks acabaram e `count()` também; troco por `countDocuments` com promise.',
          ),
          edit(
            'src/relatorio.js',
            'exports.contar = (filtro, cb) => Pedido.count(filtro, cb);',
            'exports.contar = (filtro) => Pedido.countDocuments(filtro);',
          ),
          fail('npm test', 'Testes', '1 failed'),
        ],
        [
          say(
            'O teste que sobra é traiçoeiro: desde o mongoose 7 o strictQuery vem como false, então um campo que não está no schema não é mais descartado do filtro e a consulta devolve 0 documentos em vez de 918, sem erro nenhum. Ligo strictQuery explicitamente em src/db.js.',
          ),
          edit('src/db.js', 'mongoose.connect(', "mongoose.set('strictQuery', true);\nmongoose.connect("),
          run('npm test', 'Testes', '219 passed'),
        ],
        [
          say('Agora a homologação: 6.0, FCV, 7.0.'),
          edit('deploy/mongo.yml', 'mongo:5.0.24', 'mongo:6.0.15'),
          run(
            'mongosh homolog --eval \'db.adminCommand({setFeatureCompatibilityVersion: "6.0"})\'',
            'FCV 6.0',
            'ok: 1',
          ),
        ],
        [
          edit('deploy/mongo.yml', 'mongo:6.0.15', 'mongo:7.0.12'),
          run('bench-relatorio', 'Medir o relatório', 'p95 1940 ms'),
        ],
        [
          say(
            'O relatório por cliente foi de 80 ms (p95 em produção) para 1940 ms na homologação. Minha suspeita é o motor novo de execução (SBE), que no 7.0 assume o $lookup. Testo com o motor clássico.',
          ),
          run(
            'mongosh homolog --eval \'db.adminCommand({setParameter: 1, internalQueryFrameworkControl: "forceClassicEngine"})\'',
            'Motor clássico',
            'ok: 1',
          ),
          run('bench-relatorio', 'Medir de novo', 'p95 1940 ms'),
        ],
        [
          say('Nada mudou, então o SBE não é o culpado. Volto o parâmetro e comparo os índices.'),
          run(
            'mongosh homolog --eval \'db.adminCommand({setParameter: 1, internalQueryFrameworkControl: "trySbeRestricted"})\'',
            'Desfazer',
            'ok: 1',
          ),
          run("mongosh prod --eval 'db.itens.getIndexes()'", 'Índices de produção', 'pedidoId_1'),
          run("mongosh homolog --eval 'db.itens.getIndexes()'", 'Índices da homologação', '_id_'),
          read('docs/restauracao.md'),
        ],
        [
          say(
            'Achei: falta o índice pedidoId_1 em itens na homologação. A cópia de domingo é restaurada com `mongorestore --noIndexRestore`, então nenhum índice secundário vem junto. Não tem nada a ver com o 7.0.',
          ),
          run("mongosh homolog --eval 'db.itens.createIndex({pedidoId: 1})'", 'Criar índice', 'pedidoId_1'),
          run('bench-relatorio', 'Medir', 'p95 74 ms'),
        ],
        [
          say(
            'Com o índice o relatório fica em 74 ms de p95, igual à produção. Resumo:\n\n- mongoose 8.4.1, `countDocuments` no lugar de `count`, strictQuery ligado; 219 testes passam.\n- Homologação está no 7.0.12 com FCV ainda em 6.0.\n- O relatório lento era o índice que a restauração não traz, não o servidor.\n\nPosso subir o FCV para 7.0 já? Depois disso não há volta para o 6.0 sem restaurar backup.',
          ),
        ],
        [
          run(
            "mongosh homolog --eval 'db.adminCommand({getParameter: 1, featureCompatibilityVersion: 1})'",
            'Conferir o FCV',
            "version: '6.0'",
          ),
          edit('docs/restauracao.md', '--noIndexRestore --drop', '--drop'),
        ],
        [
          say(
            'O FCV fica em 6.0 por duas semanas depois da virada em produção, conferi que está em 6.0. Tirei o --noIndexRestore de docs/restauracao.md, para a próxima cópia vir com índices.',
          ),
        ],
        [edit('docs/restauracao.md', '(mais rápido, copia de domingo)', '(copia de domingo, com índices)')],
        [
          say(
            'Anotado: o FCV fica em 6.0 por três semanas, até passar o fechamento do mês. Produção continua no 5.0.24; a virada para o 6.0 está por fazer, na quarta à noite com a Renata.',
          ),
        ],
      ],
    };
  },
  prompts: [
    'precisamos sair do mongo 5.0, acaba o suporte. leva o serviço de pedidos pro 7.0 em homologação. só homologação! em produção quem mexe é a Renata, nunca a gente direto. e nada de trocar o mongoose pelo driver nativo, isso já foi discutido',
    'não, deixa o FCV em 6.0 por duas semanas depois da virada, quero poder voltar. e arruma a doc da restauração',
    'mudei de ideia, três semanas, tem o fechamento do mês no meio',
  ],
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/featureCompatibilityVersion|FCV/, /5\.0/, /recusa|pular|caminho/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'change'],
        says: [/strictQuery/, /mongoose 7|918|schema|db\.js/],
        prompt: 1,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/noIndexRestore|índice/, /homologação|restaura/, /pedidoId|índice secundário|nenhum índice/],
        prompt: 1,
      },
      { type: ['decision', 'preference'], says: [/FCV/, /três semanas/], prompt: 3 },
      { type: ['preference', 'decision', 'gotcha'], says: [/produção/, /Renata/] },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/driver nativo/] },
      { type: ['discovery', 'gotcha'], says: [/SBE/, /não é o culpado|nada mudou|clássico/] },
      { type: ['change', 'bugfix', 'gotcha', 'discovery'], says: [/countDocuments|callbacks/] },
      { type: ['gotcha', 'discovery', 'decision'], says: [/não há volta|restaurar backup/] },
      { type: ['change', 'feature', 'discovery', 'decision'], says: [/8\.4\.1|7\.0\.12|219/] },
      { type: ['change', 'bugfix', 'decision'], says: [/restauracao\.md|noIndexRestore/] },
      { type: ['decision', 'discovery', 'change'], says: [/5\.0\.24|quarta à noite/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/mongo 5\.0|7\.0/],
        learned: [/índice|noIndexRestore|strictQuery/],
        completed: [/mongoose 8|7\.0\.12|strictQuery/],
        filesModified: ['package.json', 'src/relatorio.js', 'src/db.js', 'deploy/mongo.yml'],
      },
      {
        prompt: 2,
        request: [/FCV/],
        completed: [/restauracao\.md|FCV/],
        filesModified: ['docs/restauracao.md'],
      },
      { prompt: 3, request: [/três semanas/], nextSteps: [/virada|quarta/] },
    ],
    noise: ['Vou olhar primeiro', 'Agora a homologação'],
    untrue: [
      /suspeita é o motor(?![\s\S]*(não é o culpado|nada mudou))/,
      /FCV fica em 6\.0 por duas semanas(?![\s\S]*três)/,

      /(culpa|causa|culpado)\S* (é|era|foi) o (SBE|motor)/,
      /forceClassicEngine (está|fica|ficou) (ligado|ativo)/,
      /produção (está|já está|foi migrada|roda) (no|para o|o) (6|7)\.0/,
      /FCV (está em|subiu para|foi para) 7\.0/,
      /(relatório|lentidão).{0,30} (por causa do|causad[ao] pelo) 7\.0/,
      /(migramos|trocamos|substituímos).{0,20}driver nativo/,
      /homologação está no 6\.0/,
    ],
    followUps: [
      { asks: 'quando podemos subir o featureCompatibilityVersion pra 7.0?', says: [/três semanas/] },
      {
        asks: 'o cluster de logs ainda tá no mongo 5, posso trocar a imagem direto pra 7?',
        says: [/recusa|pular|caminho|6\.0/],
      },
      {
        asks: 'consulta lenta na base de homologação depois da cópia de domingo, já vimos isso?',
        says: [/noIndexRestore|índice/],
      },
      { asks: 'por que strictQuery tá ligado em db.js?', says: [/strictQuery/, /918|schema|mongoose 7/] },
      { asks: 'posso rodar eu mesmo o upgrade do mongo na produção hoje?', says: [/Renata/] },
    ],
    unrelated: [
      'cria um endpoint que devolve o PDF da etiqueta de envio',
      'o eslint tá reclamando de aspas duplas, qual é a regra?',
      'traduz as mensagens de erro do carrinho pro espanhol',
    ],
  },
};
