import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFerretdb } from './ferretdb.ts';
import { startKafka } from './kafka.ts';
import { folder, running, stateFolder, stopServer } from './server-process.ts';

const NAMES = ['ferretdb', 'kafka'] as const;
const settingsFile = join(folder, '.env');

export const anyRunning = (): boolean => NAMES.some((name) => running(name) !== null);

/** Starts what does not run yet; answers the settings that lead there, which `.env` holds as well. */
export async function up(): Promise<Record<string, string>> {
  mkdirSync(stateFolder, { recursive: true });
  const mongodb = await startFerretdb();
  const kafka = await startKafka();
  const settings = {
    MONGODB_URL: `mongodb://127.0.0.1:${mongodb.port}/forgelog`,
    KAFKA_BROKERS: `127.0.0.1:${kafka.port}`,
  };
  writeFileSync(settingsFile, lines(settings));
  return settings;
}

/** Ends what `up` started and nothing else; answers their names. The data stays. */
export async function down(): Promise<string[]> {
  const ended: string[] = [];
  for (const name of NAMES) if (await stopServer(name)) ended.push(name);
  rmSync(settingsFile, { force: true });
  return ended;
}

export const lines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
