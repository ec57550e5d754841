/** `npm run local:down`: ends the servers that `npm run local:up` started. Their data stays in `.state`. */
import { down } from './servers.ts';

const ended = await down();
process.stdout.write(ended.length > 0 ? `Ended ${ended.join(' and ')}.\n` : 'Nothing was running.\n');
