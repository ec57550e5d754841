/** `npm run local:up`: starts the backing servers without containers. Prints the settings for them. */
import { writeFileSync } from 'node:fs';
import { localHome, settingsFile } from './local-home.ts';
import { down, up } from './servers.ts';
import { missingTools } from './toolchains.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
try {
  const missing = missingTools();
  if (missing.length > 0) throw new Error(`Needed here: ${missing.join('; ')}.`);
  const settings = await up(localHome, stopped.signal);
  stopped.signal.throwIfAborted();
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(settingsFile, lines.join(''));
  process.stdout.write(lines.join(''));
} catch (error) {
  await down(localHome);
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
