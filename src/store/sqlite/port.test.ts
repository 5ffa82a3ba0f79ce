import { join } from 'node:path';
import { tempFolder } from '../../../test/support/temp.ts';
import { portContract } from '../port.contract.ts';
import { openSqliteStore } from './sqlite-store.ts';

portContract('SQLite', () => openSqliteStore(join(tempFolder(), 'cairn.db')));
