import { afterEach } from 'vitest';
import { removeTempFolders } from './temp.ts';

/** Run for every test file anew: unlike what a test imports, which files of one process share. */
afterEach(removeTempFolders);
