import { join } from 'node:path';
import { folder } from './server-process.ts';

export const localHome = join(folder, '.state');
/** Settings for the servers of `npm run local:up`. */
export const settingsFile = join(folder, '.env');
