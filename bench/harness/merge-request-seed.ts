import { mkdir } from 'node:fs/promises';
import { type NewEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { type System, startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { git } from './git-plumbing.ts';
import { createIssueTexts } from './issue-texts.ts';
import { policiesAtEnd } from './policies-at-end.ts';
import { createRepository } from './product-repository.ts';
import { ROOT_TOKEN } from './seed.ts';
import { startProduct } from './servers.ts';

/** Branches `topic-<n>` change files of their own, `base-<n>` others, `merge-<n>` adds one. All begin at `main`. */
export const BRANCHES = { topic: 40, base: 40, merge: 120 } as const;
const FILES = 200;
const CHANGED = 6;
const HANDS = 500;

export interface MergeRequestPlace {
  id: number;
  /** Merge requests are numbered from 1. */
  count: number;
}

/** A data folder with merge requests, and the repository that all of its projects have. */
export interface SeededMergeRequests {
  folder: string;
  gitDir: string;
  /** Merged ones, and 40 open ones that are newer. */
  many: MergeRequestPlace;
  few: MergeRequestPlace;
  /** One for each pair of a topic and a base: number 1 has topic 0 and base 0, number 2 topic 0 and base 1. */
  pairs: MergeRequestPlace;
  /** One for each `merge-<n>` into `main`, numbered from 1. */
  merging: MergeRequestPlace;
  /** None, but all branches. */
  creating: MergeRequestPlace;
}

type Tips = ReadonlyMap<string, string>;

export async function seedMergeRequests(
  folder: string,
  gitDir: string,
  { merged, few }: { merged: number; few: number },
): Promise<SeededMergeRequests> {
  await mkdir(folder, { recursive: true });
  git(gitDir, ['init', '--quiet', '--bare', gitDir]);
  git(gitDir, ['fast-import', '--quiet'], history());
  const refs = git(gitDir, ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)']);
  const tips: Tips = new Map(refs.split('\n').map((line) => line.split(' ') as [string, string]));
  const places = await projects(folder, gitDir);
  const configuration = readConfiguration({
    ...{ PORT: '0', DATA_DIR: folder, ROOT_TOKEN, EXTERNAL_URL: 'http://forgelog.example' },
    LOG_LEVEL: 'error',
  });
  const log = createLogger(configuration);
  const system = await startSystem({ configuration, log, openStores: openEmbeddedStores });
  try {
    const [many, fewer, pairs, merging, creating] = places as [number, number, number, number, number];
    const append = await appender(system, tips);
    const open = Array.from({ length: BRANCHES.topic }, (_, at) => [`topic-${at}`, `base-${at}`] as const);
    const old = (count: number) => Array.from({ length: count }, (_, at) => [`gone-${at}`, 'main'] as const);
    const crossed = open.flatMap(([topic]) => open.map(([, base]) => [topic, base] as const));
    const mergeable = Array.from({ length: BRANCHES.merge }, (_, at) => [`merge-${at}`, 'main'] as const);
    const seeded = {
      many: await append(many, [...old(merged), ...open], merged),
      few: await append(fewer, [...old(few), ...open], few),
      pairs: await append(pairs, crossed),
      merging: await append(merging, mergeable),
      creating: { id: creating, count: 0 },
    };
    await system.projectors.caughtUp(await system.store.head(), { timeoutMs: 600_000 });
    return { folder, gitDir, ...seeded };
  } finally {
    await system.stop();
    await policiesAtEnd(folder);
  }
}

/** Projects with the same repository, which git pushes to a server of its own process. */
async function projects(folder: string, gitDir: string): Promise<number[]> {
  const product = await startProduct(folder);
  try {
    const ids: number[] = [];
    for (const name of ['many', 'few', 'pairs', 'merging', 'creating']) {
      const project = await createRepository(product, `bench ${name}`);
      project.close();
      git(gitDir, ['push', '--quiet', project.remote, 'refs/heads/*:refs/heads/*']);
      ids.push(project.id);
    }
    return ids;
  } finally {
    await product.stop();
  }
}

/** Appends openings, and merges of the first of them, as the product would have. */
async function appender({ store }: System, tips: Tips) {
  const textOf = createIssueTexts(5, [1]);
  let mergeRequestId = 0;
  await store.append('ids-mergeRequest', 'no-stream', [
    event('IdsReserved', new Date(0).toISOString(), { from: 1, to: 1_000_000 }),
  ]);
  const one = async (projectId: number, iid: number, branches: readonly [string, string], ends: boolean) => {
    const [sourceBranch, targetBranch] = branches;
    const [main, sourceSha = main!, targetSha = main!] = ['main', ...branches].map((name) => tips.get(name));
    const { time, title, description, labels } = textOf(++mergeRequestId);
    const ids = { mergeRequestId, projectId, iid };
    const content = { title, description, targetBranch, labels, assigneeIds: [1], reviewerIds: [1] };
    const options = { squash: false, removeSourceBranch: false, allowCollaboration: false };
    const none = { milestoneId: null, approvalsBeforeMerge: null, createdAt: null };
    const opened = { ...ids, ...content, ...options, ...none, authorId: 1, sourceProjectId: projectId };
    const events = [event('MergeRequestCreated', time, { ...opened, sourceBranch, sourceSha, targetSha })];
    if (ends) {
      const commits = { sha: sourceSha, mergeCommitSha: null, squashCommitSha: null };
      const change = { changes: { state: 'merged' }, previous: { state: 'opened' } };
      const end = { ...ids, mergeId: null, mergedById: 1, ...commits, ...change };
      events.push(event('MergeRequestMerged', time, end));
    }
    await store.append(`mergeRequest-${projectId}-${iid}`, 'no-stream', events);
  };
  return async (
    id: number,
    all: readonly (readonly [string, string])[],
    merged = 0,
  ): Promise<MergeRequestPlace> => {
    for (let at = 0; at < all.length; at += HANDS)
      await Promise.all(
        all.slice(at, at + HANDS).map((pair, next) => one(id, at + next + 1, pair, at + next < merged)),
      );
    return { id, count: all.length };
  };
}

const event = (type: string, time: string, data: unknown): NewEvent => ({
  ...{ id: newEventId(), type, schemaVersion: 1, time, data, metadata: SYSTEM_METADATA },
});

/** For `git fast-import`. */
function history(): string {
  const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  const text = (seed: number) =>
    Array.from({ length: 60 }, (_, at) => `${seed * 7919 + at} ${(seed + at) * 104_729}\n`).join('');
  const commit = (branch: string, from: string | null, files: readonly string[]) =>
    `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> 1600000000 +0000\n` +
    `data ${branch.length}\n${branch}\n${from ? `from ${from}\n` : ''}${files.join('')}\n`;
  const path = (at: number) => `src/file-${at % FILES}.txt`;
  const parts = [
    commit(
      'main',
      null,
      Array.from({ length: FILES }, (_, at) => file(path(at), text(at))),
    ),
  ];
  const changing = (first: number) =>
    Array.from({ length: CHANGED }, (_, at) => file(path(first + at), text(1000 + first + at)));
  for (let at = 0; at < BRANCHES.topic; at += 1)
    parts.push(commit(`topic-${at}`, 'refs/heads/main', changing(at * 2)));
  for (let at = 0; at < BRANCHES.base; at += 1)
    parts.push(commit(`base-${at}`, 'refs/heads/main', changing(FILES / 2 + at * 2)));
  for (let at = 0; at < BRANCHES.merge; at += 1)
    parts.push(commit(`merge-${at}`, 'refs/heads/main', [file(`merged/${at}.txt`, `${at}\n`)]));
  return parts.join('');
}
