/** `npm run local:up`: the backing servers on this machine, without containers. Prints the settings to use. */
import { down, lines, up } from './servers.ts';

try {
  process.stdout.write(lines(await up()));
} catch (error) {
  await down();
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
