import { join } from 'node:path';
import { openPlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { portContract } from '../port.contract.ts';

portContract('SQLite', () => openPlainStore(join(tempFolder(), 'cairn.db')));
