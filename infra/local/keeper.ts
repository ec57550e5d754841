/**
 * Ends the servers of a home and removes it as soon as standard input ends: when whoever started this says so, or is
 * gone, by whatever signal. Usage: node keeper.ts <home>
 */
import { rm } from 'node:fs/promises';
import { down } from './servers.ts';

const [home] = process.argv.slice(2);
if (home === undefined) throw new Error('usage: keeper.ts <home>');
// A terminal's Ctrl-C is for the one that started this, and it then closes the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.resume().on('end', async () => {
  await down(home);
  await rm(home, { recursive: true, force: true });
});
