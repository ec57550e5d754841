import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OwnSide, servePeers } from '@forgelog/service-kit/split/peer.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createPeerCheck } from './peer-check.ts';

const [ONE, OTHER] = ['1'.repeat(32), '2'.repeat(32)] as const;
const NOBODY = 'http://127.0.0.1:1';

async function serve(secretKey: string, clock = () => new Date()): Promise<string> {
  const page = servePeers({ service: 'repo', secretKey, clock });
  const server = createServer((request, response) => void page(request, response, request.url!));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a gateway finds with the key `ONE`. */
async function found(urls: { repo?: string; tracker?: string; ci?: string; admin?: string }) {
  const own: OwnSide = { service: 'gateway', secretKey: ONE, clock: () => new Date() };
  const logged: string[] = [];
  const log = { error: (_: object, text: string) => logged.push(text), info() {} };
  const { problems, stage } = createPeerCheck({
    own,
    configuration: {
      REPO_URL: new Map([['default', urls.repo ?? NOBODY]]),
      TRACKER_URL: urls.tracker ?? NOBODY,
      CI_URL: urls.ci ?? NOBODY,
      ADMIN_URL: urls.admin ?? NOBODY,
    },
    log: log as never,
  });
  await stage.start!();
  await stage.stop!();
  return { problems: problems(), logged };
}

test('one service of four that disagrees is named in the log, and the gateway stays ready', async () => {
  const [one, other] = [await serve(ONE), await serve(OTHER)];
  const { problems, logged } = await found({ repo: one, tracker: other, ci: one, admin: one });
  expect(problems).toEqual([]);
  expect(logged).toEqual([expect.stringMatching(/^gateway: its SECRET_KEY is not that of tracker\./)]);
});

test('a gateway that disagrees with all that it meets is not ready, and says in what', async () => {
  const late = await serve(ONE, () => new Date(Date.now() - 20_000));
  const { problems } = await found({ repo: late, admin: late });
  expect(problems).toEqual([
    expect.stringMatching(/^gateway: its clock is (19|20) s ahead of that of repo, admin$/),
  ]);
});

test('a gateway that meets nobody waits for them, and is not in disagreement', async () => {
  expect(await found({})).toEqual({ problems: [], logged: [] });
});
