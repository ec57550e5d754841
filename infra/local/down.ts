/** `npm run local:down`: stops the servers of `npm run local:up`. Their data stays in `.state`. */
import { rmSync } from 'node:fs';
import { localHome, settingsFile } from './local-home.ts';
import { down } from './servers.ts';

const ended = await down(localHome);
rmSync(settingsFile, { force: true });
process.stdout.write(ended.length > 0 ? `Ended: ${ended.join(', ')}.\n` : 'Nothing was running.\n');
