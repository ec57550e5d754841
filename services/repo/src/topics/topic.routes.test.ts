import {
  createTopic,
  deleteTopic,
  getTopic,
  getTopicAvatar,
  listTopics,
  updateTopic,
} from '@forgelog/contracts/repo/topics/topic.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { react } from '@forgelog/testing/given-policy.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { projectSlice } from '../projects/project.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { TOPICS_STREAM } from './topic.decider.ts';
import { topicPolicies } from './topic.policy.ts';
import { topicSlice } from './topic.slice.ts';

const ADMIN = 1;
const ADA = 2;
const carrying = projectCreated(7, { settings: { topics: ['Steam', 'iron'] } });
const given = [
  ...[userCreated(ADMIN, { admin: true }), userCreated(ADA)],
  ...[carrying, projectCreated(8, { settings: { topics: ['steam'] } })],
];
const start = () => startRepoSlices([topicSlice, projectSlice], given);

async function topicsOf(ports: Pick<ServicePorts, 'commands'>, projectId: number) {
  const { state } = await ports.commands.load(projectDecider, projectStream(projectId));
  return state.status === 'present' ? state.settings.topics : undefined;
}

test('words of projects become topics, and everybody reads them with true counts', async () => {
  const { call, ports } = await start();
  await react(topicPolicies(ports), carrying);
  expect((await call(listTopics, {}, null)).body).toMatchObject([
    { name: 'Steam', title: 'Steam', total_projects_count: 2, avatar_url: null },
    { name: 'iron', total_projects_count: 1 },
  ]);
  const { body } = await call(createTopic, { name: 'coal', title: 'Black coal' }, ADMIN);
  expect((await call(listTopics, { search: 'BLACK' }, ADA)).body).toEqual([body]);
  expect((await call(listTopics, { without_projects: true }, ADA)).body).toEqual([body]);
  expect(await call(createTopic, { name: 'IRON' }, ADMIN)).toMatchObject({ status: 400, events: [] });
});

test('projects get the new name of a topic, and lose one that is deleted', async () => {
  const { call, ports } = await start();
  const policies = topicPolicies(ports);
  await react(policies, carrying);
  const [{ id }] = (await call(listTopics, { search: 'steam' }, null)).body;
  const renamed = await call(updateTopic, { id, name: 'vapour', description: 'Hot' }, ADMIN);
  expect(renamed).toMatchObject({
    status: 200,
    body: { name: 'vapour', title: 'Steam', description: 'Hot' },
  });
  await react(policies, on(TOPICS_STREAM, renamed.events[0]!));
  expect(await topicsOf(ports, 7)).toEqual(['vapour', 'iron']);
  expect(await topicsOf(ports, 8)).toEqual(['vapour']);
  expect((await call(getTopic, { id }, null)).body).toMatchObject({ total_projects_count: 2 });
  const deleted = await call(deleteTopic, { id }, ADMIN);
  expect(deleted.status).toBe(204);
  await react(policies, on(TOPICS_STREAM, deleted.events[0]!));
  expect(await topicsOf(ports, 7)).toEqual(['iron']);
  expect(await topicsOf(ports, 8)).toEqual([]);
  expect(await call(getTopic, { id }, ADMIN)).toMatchObject({ status: 404 });
});

test('a topic without an avatar answers like one that is not there', async () => {
  const { call } = await start();
  const { id } = (await call(createTopic, { name: 'coal' }, ADMIN)).body;
  for (const wanted of [id, 99]) expect((await call(getTopicAvatar, { id: wanted }, null)).status).toBe(404);
});

test('others than administrators change nothing', async () => {
  const { call } = await start();
  const { id } = (await call(createTopic, { name: 'coal' }, ADMIN)).body;
  const refused = [];
  for (const [endpoint, params] of [
    [createTopic, { name: 'x' }],
    [updateTopic, { id, name: 'x' }],
    [deleteTopic, { id }],
  ] as const)
    for (const caller of [ADA, null]) refused.push(await call(endpoint, params, caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 401, 403, 401, 403, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});
