import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type MeasuredProcess, startMeasured } from './measured-process.ts';
import type { Usage } from './probe.ts';
import { OUT, ROOT_TOKEN } from './seed.ts';

const root = join(import.meta.dirname, '../..');
const SERVICES = ['gateway', 'repo', 'tracker', 'ci', 'admin'] as const;
type Service = (typeof SERVICES)[number];

/** The five services and the log's server, each in a process of its own. */
export type SplitProcesses = Record<Service, MeasuredProcess> & {
  /** The development event store; absent where EVENTSTORE_URL names another. */
  log?: MeasuredProcess;
  stop(): Promise<void>;
};

/**
 * Starts them as `npm run start:split` does, with their data below `folder`.
 * @param storages repo has an instance for each; the first one counts as repo
 */
export async function startSplitProcesses(
  folder: string,
  storages: readonly string[] = ['default'],
): Promise<SplitProcesses> {
  const log = process.env.EVENTSTORE_URL
    ? undefined
    : await startMeasured(join(root, 'packages/eventing/src/adapters/eventstoredb/testing/server/main.ts'), {
        env: { DATA_DIR: join(folder, 'log') },
        output: join(OUT, 'split-log.log'),
        ready: null,
      });
  const ports = Object.fromEntries(
    await Promise.all(SERVICES.map(async (service) => [service, await freePort()] as const)),
  ) as Record<Service, number>;
  const at = (service: Service) => `http://127.0.0.1:${ports[service]}`;
  const further = await Promise.all(
    storages.slice(1).map(async (storage) => ({ storage, port: await freePort() })),
  );
  const repos = [
    ...(further.length > 0 ? [`${storages[0]}=${at('repo')}`] : [at('repo')]),
    ...further.map(({ storage, port }) => `${storage}=http://127.0.0.1:${port}`),
  ];
  const env = {
    DATA_DIR: folder,
    ROOT_TOKEN,
    SECRET_KEY: 'the secret key of the bench, long enough',
    EVENTSTORE_URL: process.env.EVENTSTORE_URL ?? `esdb://127.0.0.1:${log!.port}?tls=false`,
    EXTERNAL_URL: at('gateway'),
    REPO_URL: repos.join(','),
    TRACKER_URL: at('tracker'),
    CI_URL: at('ci'),
    ADMIN_URL: at('admin'),
  };
  const started = await Promise.all(
    SERVICES.map(async (service) => {
      const program = join(root, `services/${service}/src/main.ts`);
      const output = join(OUT, `split-${service}.log`);
      const given = { env, output, ready: '/-/readiness', port: ports[service], profiled: true };
      return [service, await startMeasured(program, given)] as const;
    }),
  );
  const others = await Promise.all(
    further.map(({ storage, port }) =>
      startMeasured(join(root, 'services/repo/src/main.ts'), {
        env: { ...env, DATA_DIR: join(folder, `repo-${storage}`), STORAGE: storage },
        ...{ output: join(OUT, `split-repo-${storage}.log`), ready: '/-/readiness', port },
      }),
    ),
  );
  const services = Object.fromEntries(started) as Record<Service, MeasuredProcess>;
  const stop = async () => {
    await Promise.all([...started.map(([, process]) => process), ...others].map((process) => process.stop()));
    await log?.stop();
  };
  return { ...services, ...(log && { log }), stop };
}

/** Plain `node:http` in front of plain `node:http` that answers with these bytes. */
export async function startBarePair(body: Buffer): Promise<MeasuredProcess> {
  const file = join(OUT, 'bare-pair-body');
  await writeFile(file, body);
  const output = join(OUT, 'bare-pair.log');
  const behind = await startMeasured(join(import.meta.dirname, 'bare-server.ts'), {
    ...{ env: { BODY: file }, output, ready: '/' },
  });
  const front = await startMeasured(join(import.meta.dirname, 'bare-gateway-server.ts'), {
    ...{ env: { BEHIND: String(behind.port) }, output, ready: '/' },
  });
  return together(front, behind);
}

/** Several processes measured as one, which is spoken to through the first. */
export function together(front: MeasuredProcess, ...others: readonly MeasuredProcess[]): MeasuredProcess {
  const all = [front, ...others];
  return {
    port: front.port,
    async usage(): Promise<Usage> {
      const usages = await Promise.all(all.map((one) => one.usage()));
      const sum = (of: keyof Usage) => usages.reduce((total, usage) => total + usage[of], 0);
      const most = (of: keyof Usage) => Math.max(...usages.map((usage) => usage[of]));
      return {
        ...{ cpu: sum('cpu'), anonymous: sum('anonymous'), peak: sum('peak') },
        ...{ longestTurn: most('longestTurn'), longestWork: most('longestWork') },
      };
    },
    async held(): Promise<number> {
      const held = await Promise.all(all.map((one) => one.held()));
      return held.reduce((total, one) => total + one);
    },
    async stop() {
      for (const one of all) await one.stop();
    },
  };
}
