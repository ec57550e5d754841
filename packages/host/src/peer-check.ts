import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { meet, type OwnSide } from '@forgelog/service-kit/split/peer.ts';
import type { SplitConfiguration } from './split-configuration.ts';
import type { Stage } from './stages.ts';

const EVERY_MS = 5_000;
const TIMEOUT_MS = 2_000;

export interface PeerCheck {
  /** What is wrong with this process, in sentences; empty where it agrees with most of the others. */
  problems(): readonly string[];
  stage: Stage;
}

/**
 * Compares keys, clocks and protocols with the other services, again and again. With one of four in disagreement it is that
 * one that is not ready; a process that disagrees with half of those that it meets is not ready itself.
 */
export function createPeerCheck(options: {
  own: OwnSide;
  configuration: Pick<SplitConfiguration, 'REPO_URL' | 'TRACKER_URL' | 'CI_URL' | 'ADMIN_URL'>;
  log: Logger;
}): PeerCheck {
  const { own, configuration, log } = options;
  const peers = peersOf(own.service, configuration);
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | undefined;
  let sentences: string[] = [];
  let mine: readonly string[] = [];

  async function check(): Promise<void> {
    const met = await Promise.all(
      peers.map(async ({ name, url }) => ({ name, found: await meet(url, own, TIMEOUT_MS) })),
    );
    const told = met.filter(({ found }) => found !== undefined);
    const disagreeing = told.filter(({ found }) => found!.length > 0);
    const found = [...new Set(disagreeing.flatMap(({ found }) => found!))].map((words) => {
      const names = disagreeing.filter(({ found }) => found!.includes(words)).map(({ name }) => name);
      return `${own.service}: ${words} ${[...new Set(names)].join(', ')}`;
    });
    mine = 2 * disagreeing.length >= told.length ? found : [];
    if (found.join() === sentences.join()) return;
    for (const sentence of found.filter((each) => !sentences.includes(each)))
      log.error(
        { ready: mine.length === 0 },
        `${sentence}. Exchanges with it are refused until both are alike`,
      );
    if (found.length === 0) log.info('key and clock agree with those of the other services again');
    sentences = found;
  }

  const checkSoon = () =>
    (checking ??= check().finally(() => {
      checking = undefined;
    }));

  return {
    problems: () => mine,
    stage: {
      name: 'peers',
      async start() {
        timer = setInterval(checkSoon, EVERY_MS).unref();
        await checkSoon();
      },
      async stop() {
        clearInterval(timer);
        await checking;
      },
    },
  };
}

function peersOf(
  service: ServiceName,
  urls: Pick<SplitConfiguration, 'REPO_URL' | 'TRACKER_URL' | 'CI_URL' | 'ADMIN_URL'>,
): { name: ServiceName; url: string }[] {
  const all: { name: ServiceName; url: string }[] = [
    ...[...urls.REPO_URL.values()].map((url) => ({ name: 'repo' as const, url })),
    { name: 'tracker', url: urls.TRACKER_URL },
    { name: 'ci', url: urls.CI_URL },
    { name: 'admin', url: urls.ADMIN_URL },
  ];
  return all.filter(({ name }) => name !== service);
}
