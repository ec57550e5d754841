/**
 * Stops the servers of a home and removes it once stdin ends, however its starter ended. Usage: node keeper.ts <home>
 */
import { rm } from 'node:fs/promises';
import { down } from './servers.ts';

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error('usage: keeper.ts <home>');
// Ctrl-C in a terminal is for the starter, which then closes the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.resume().on('end', async () => {
  await down(home);
  await rm(home, { recursive: true, force: true });
});
