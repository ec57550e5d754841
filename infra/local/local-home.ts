import { join } from 'node:path';
import { folder } from './server-process.ts';

/** Records, logs and data of the servers that `npm run local:up` starts. */
export const localHome = join(folder, '.state');
/** The settings that lead to them. */
export const settingsFile = join(folder, '.env');
