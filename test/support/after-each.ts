import { afterEach } from 'vitest';
import { removeTempFolders } from './temp.ts';

/**
 * Runs once per test file, because it is a setup file; modules that tests import are shared by the files of one
 * process.
 */
afterEach(removeTempFolders);
