// node serve-api.mjs <home>: serves the worker's API on another port, without the worker's limit of connections, and
// prints the port. Only for measuring.

import http from 'node:http';
import { loadParts } from './product.mjs';

const [home] = process.argv.slice(2);
const product = await loadParts(`
  export { createApi } from './src/api/api.ts';
  export { readEnvironment } from './src/config/environment.ts';
  export { loadSettings } from './src/config/settings.ts';
  export { createLog } from './src/platform/log.ts';
  export { pathsOf } from './src/platform/paths.ts';
  export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
`);
const paths = product.pathsOf(home);
const store = product.openSqliteStore(paths.database);
const { settings } = product.loadSettings(paths.config, product.readEnvironment());
const log = product.createLog({ folder: '', level: 'off', from: 'bench' });
const server = http.createServer((request, response) => api.handle(request, response));
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address();
const call = { paths, settings, log, now: Date.now, wakeWorker() {} };
const api = product.createApi({ ...call, port, onStreamEnd() {}, openCall: () => ({ ...call, store }) });
console.log(port);
