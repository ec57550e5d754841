import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepFilesPrivate, requireDataFolder } from '@forgelog/host/data-folder.ts';
import { failStart, onHangUp } from '@forgelog/host/run-host.ts';
import { DEFAULT_PORTS, readSplitConfiguration } from '@forgelog/host/split-configuration.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';

/* `npm run start:split`: runs the five services as processes that start and stop together. */

const root = resolve(import.meta.dirname, '../..');
const SERVICES = ['repo', 'tracker', 'ci', 'admin', 'gateway'] as const;
const STOP_WITHIN_MS = 11_000;

interface Part {
  name: string;
  child: ChildProcess;
  /** Resolves with its ready line; rejects if it ends first. */
  ready: Promise<string>;
}

/** Starts a part with its output on ours. `isReady` matches its ready line. */
function run(name: string, script: string, environment: NodeJS.ProcessEnv, isReady: RegExp): Part {
  // Its own process group: Ctrl-C reaches only us, and we stop the parts in order.
  const child = spawn(process.execPath, [join(root, script)], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise<string>((done, failed) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 65_536) {
        said += text;
        const found = isReady.exec(said);
        if (found) done(found[1]!);
      }
      process.stdout.write(text);
    });
    child.once('error', failed);
    child.once('exit', (code, signal) => failed(new Error(`${name} ended with ${signal ?? code}`)));
  });
  ready.catch(() => {});
  return { name, child, ready };
}

async function stop(part: Part): Promise<void> {
  const { child } = part;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(killTimer);
}

/** Reads the shared key; creates it at the first start. */
function secretKey(dataDir: string): string {
  const path = join(dataDir, 'secret-key');
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
  return readFileSync(path, 'utf8').trim();
}

async function main(): Promise<void> {
  const { EVENTSTORE_URL, MONGODB_URL, ...own } = process.env;
  const { PORT, HOST, DATA_DIR } = readConfiguration(own);
  keepFilesPrivate(DATA_DIR);
  await requireDataFolder(DATA_DIR);
  const parts: Part[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = () =>
    (stopping ??= (async () => {
      // The gateway first, the log last.
      const [log, services] = [
        parts.filter(({ name }) => name === 'log'),
        parts.filter(({ name }) => name !== 'log'),
      ];
      await Promise.all(services.map(stop));
      await Promise.all(log.map(stop));
    })());
  const end = () => void stopAll().then(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  onHangUp(end);
  /** Stops all parts when one ends. */
  const watch = (part: Part) => {
    parts.push(part);
    part.child.once('exit', () => {
      if (!stopping) void stopAll().then(() => process.exit(1));
    });
    return part.ready;
  };

  let log = EVENTSTORE_URL;
  if (!log) {
    const folder = join(DATA_DIR, 'eventstore');
    const settings = { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder };
    log = await watch(
      run('log', 'packages/eventing/src/adapters/eventstoredb/testing/server/main.ts', settings, /(esdb\S+)/),
    );
  }
  const urlOf = (service: keyof typeof DEFAULT_PORTS) =>
    `http://127.0.0.1:${PORT + DEFAULT_PORTS[service] - DEFAULT_PORTS.gateway}`;
  const environment: NodeJS.ProcessEnv = {
    EXTERNAL_URL: urlOf('gateway'),
    REPO_URL: urlOf('repo'),
    TRACKER_URL: urlOf('tracker'),
    CI_URL: urlOf('ci'),
    ADMIN_URL: urlOf('admin'),
    ...process.env,
    EVENTSTORE_URL: log,
    DATA_DIR,
    SECRET_KEY: process.env.SECRET_KEY || secretKey(DATA_DIR),
  };
  const { EXTERNAL_URL } = readSplitConfiguration('gateway', environment);
  const ready = SERVICES.map((service) => {
    const settings = {
      ...environment,
      PORT: new URL(urlOf(service)).port,
      // Only the gateway is reachable from outside.
      HOST: service === 'gateway' ? HOST : '127.0.0.1',
    };
    return watch(run(service, `services/${service}/src/main.ts`, settings, / is ready on (\S+)/));
  });
  await Promise.all(ready);
  process.stdout.write(`All services are ready on ${EXTERNAL_URL}\n`);
}

main().catch(failStart);
