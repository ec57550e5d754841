import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdPort } from '../support/balancer.ts';
import { eventually } from '../support/eventually.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';

const [ONE, OTHER] = ['1'.repeat(32), '2'.repeat(32)];
const SERVICES = ['gateway', 'tracker', 'admin'] as const;

async function processes(keys: Record<(typeof SERVICES)[number], string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-peers-'));
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
    }
    await rm(dataDir, { recursive: true, force: true });
  });
  const ports = new Map<string, number>();
  for (const service of SERVICES) {
    const { port, release } = await holdPort();
    await release();
    ports.set(service, port);
  }
  const addressOf = (service: string) => `http://127.0.0.1:${ports.get(service) ?? 1}`;
  const logs = new Map<string, string>();
  for (const service of SERVICES) {
    const child = spawn(
      process.execPath,
      [resolve(import.meta.dirname, `../../services/${service}/src/main.ts`)],
      {
        env: {
          ...PROGRAM_ENVIRONMENT,
          ...{
            DATA_DIR: dataDir,
            LOG_LEVEL: 'error',
            SECRET_KEY: keys[service],
            PORT: String(ports.get(service)),
          },
          // No log is there: whether processes agree shows before they have one.
          ...{
            EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
            REPO_URL: addressOf('repo'),
            CI_URL: addressOf('ci'),
          },
          ...{ TRACKER_URL: addressOf('tracker'), ADMIN_URL: addressOf('admin') },
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    child
      .stdout!.setEncoding('utf8')
      .on('data', (text: string) => logs.set(service, (logs.get(service) ?? '') + text));
  }
  const readiness = async (service: string) => {
    const answer = await fetch(`${addressOf(service)}/-/readiness`).catch(() => undefined);
    return answer && ((await answer.json()) as object);
  };
  return { readiness, logOf: (service: string) => logs.get(service) ?? '' };
}

test('a gateway with another SECRET_KEY is not ready and says why, and the others are not concerned', async () => {
  const { readiness, logOf } = await processes({ gateway: OTHER, tracker: ONE, admin: ONE });
  const problems = ['gateway: its SECRET_KEY is not that of tracker, admin'];
  await eventually('the gateway tells', () => readiness('gateway'), {
    until: (answer) => JSON.stringify(answer) === JSON.stringify({ status: 'mismatch', problems }),
  });
  await eventually('its log tells', () => logOf('gateway').includes(problems[0]!));
  for (const service of ['tracker', 'admin'])
    await eventually(`${service} waits for its log`, () => readiness(service), {
      until: (answer) => JSON.stringify(answer) === '{"status":"starting"}',
    });
});

test('processes agree while a second key is brought in', async () => {
  const { readiness, logOf } = await processes({
    gateway: `${ONE},${OTHER}`,
    tracker: `${ONE},${OTHER}`,
    admin: ONE,
  });
  for (const service of SERVICES)
    await eventually(`${service} waits for its log`, () => readiness(service), {
      until: (answer) => JSON.stringify(answer) === '{"status":"starting"}',
    });
  for (const service of SERVICES) expect(logOf(service)).not.toContain('SECRET_KEY');
});
