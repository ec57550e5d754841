import { once } from 'node:events';
import { Unleash } from 'unleash-client';
import { expect, onTestFinished, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

/** A stock client, which knows nothing of this product. */
async function clientOf(url: string, instanceId: string, appName: string): Promise<Unleash> {
  const often = { refreshInterval: 50, metricsInterval: 50 };
  const client = new Unleash({ url, instanceId, appName, ...often, storageProvider: nowhere });
  onTestFinished(() => client.destroy());
  await new Promise((synchronized, failed) => {
    client.once('synchronized', () => synchronized(client));
    // Stays: a question that is under way when the test ends may fail, which nobody waits for.
    client.on('error', failed);
  });
  return client;
}

const nowhere = { set: async () => {}, get: async () => undefined };

test('a stock client of Unleash finds flags on for whom and where they are', async () => {
  const forgelog = await forgelogForTest();
  const { id } = await must(forgelog.post('/projects', { path: 'program', visibility: 'private' }));
  const project = `/projects/${id}`;
  const flags = `${project}/feature_flags`;
  const testers = await must(
    forgelog.post(`${project}/feature_flags_user_lists`, { name: 'Testers', user_xids: 'ada' }),
  );
  const scopes = [{ environment_scope: 'production' }, { environment_scope: 'review/*' }];
  const create = (name: string, strategy: object, more: object = {}) =>
    must(forgelog.post(flags, { name, strategies: [{ parameters: {}, scopes, ...strategy }], ...more }));
  await create('for-all', { name: 'default' });
  await create('off', { name: 'default' }, { active: false });
  await create('for-grace', { name: 'userWithId', parameters: { userIds: 'grace,lin' } });
  await create('for-testers', { name: 'gitlabUserList', user_list_id: testers.id });
  const rollout = { groupId: 'night', stickiness: 'userId' };
  await create('all-of-them', { name: 'flexibleRollout', parameters: { ...rollout, rollout: '100' } });
  await create('none-of-them', { name: 'flexibleRollout', parameters: { ...rollout, rollout: '0' } });
  const gradual = { groupId: 'night', percentage: '100' };
  await create('gradual', { name: 'gradualRolloutUserId', parameters: gradual });
  await create('elsewhere', { name: 'default', scopes: [{ environment_scope: 'staging' }] });
  await create('nowhere', { name: 'default', scopes: [] });

  const { api_url, instance_id } = await must(forgelog.get(`${project}/feature_flags_client`));
  const names = (await must(forgelog.get(flags))).map(({ name }: { name: string }) => name);
  const onFor = (client: Unleash, userId: string): string[] =>
    names.filter((name: string) => client.isEnabled(name, { userId }));
  const production = await clientOf(api_url, instance_id, 'production');
  const sent = once(production, 'sent');
  expect(onFor(production, 'ada')).toEqual(['all-of-them', 'for-all', 'for-testers', 'gradual']);
  expect(onFor(production, 'grace')).toEqual(['all-of-them', 'for-all', 'for-grace', 'gradual']);
  const review = await clientOf(api_url, instance_id, 'review/night');
  expect(onFor(review, 'lin')).toEqual(['all-of-them', 'for-all', 'for-grace', 'gradual']);
  const staging = await clientOf(api_url, instance_id, 'staging');
  expect(onFor(staging, 'ada')).toEqual(['elsewhere']);

  await must(forgelog.put(`${project}/feature_flags_user_lists/1`, { user_xids: 'grace' }));
  await must(forgelog.put(`${flags}/for-all`, { active: false }));
  await expect.poll(() => onFor(production, 'ada')).toEqual(['all-of-them', 'gradual']);
  expect(onFor(production, 'grace')).toEqual(['all-of-them', 'for-grace', 'for-testers', 'gradual']);
  await once(production, 'unchanged');
  expect((await sent)[0]).toMatchObject({ appName: 'production' });
});

test('an instance id opens the flags of its project alone, until it is made anew', async () => {
  const forgelog = await forgelogForTest();
  const { id } = await must(forgelog.post('/projects', { path: 'program', visibility: 'private' }));
  const { id: other } = await must(forgelog.post('/projects', { path: 'other' }));
  const strategies = [{ name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] }];
  await must(forgelog.post(`/projects/${id}/feature_flags`, { name: 'night_mode', strategies }));
  const client = `/projects/${id}/feature_flags_client`;
  const { instance_id } = await must(forgelog.get(client));
  const at = `/feature_flags/unleash/${id}`;
  const ask = (path: string, instanceId?: string, appName = 'production') =>
    forgelog.get(path, {
      token: null,
      headers: { 'UNLEASH-APPNAME': appName, ...(instanceId && { 'UNLEASH-INSTANCEID': instanceId }) },
    });
  const feature = { name: 'night_mode', enabled: true, strategies: [{ name: 'default', parameters: {} }] };
  const expected = { version: 1, features: [feature] };
  for (const path of [
    `${at}/client/features`,
    `${at}/features`,
    '/feature_flags/unleash/root%2Fprogram/features',
  ])
    expect((await ask(path, instance_id)).body, path).toEqual(expected);
  const inQuery = `${at}/client/features?app_name=production&instance_id=${instance_id}`;
  expect((await forgelog.get(inQuery, { token: null })).body).toEqual(expected);
  expect((await ask(`${at}/client/features`, instance_id, '')).body).toEqual({ version: 1, features: [] });
  for (const path of [`${at}/client/register`, `${at}/client/metrics`]) {
    const headers = { 'UNLEASH-INSTANCEID': instance_id };
    expect((await forgelog.post(path, { appName: 'production' }, { token: null, headers })).status).toBe(200);
    expect((await forgelog.post(path, {}, { token: null })).status).toBe(401);
  }
  const refused = [
    await ask(`${at}/client/features`),
    await ask(`${at}/client/features`, 'glffct-wrong'),
    await ask(`${at}/client/features`, encodeURIComponent('é'.repeat(20))),
    await ask(`/feature_flags/unleash/${other}/client/features`, instance_id),
    await ask('/feature_flags/unleash/9999/client/features', instance_id),
    await ask('/feature_flags/unleash/root%2Fnone/client/features', instance_id),
  ];
  expect(refused.map(({ status, body }) => [status, body])).toEqual(
    refused.map(() => [401, { message: '401 Unauthorized' }]),
  );
  const unicode = `${at}/features?instance_id=${encodeURIComponent('é'.repeat(instance_id.length))}`;
  expect((await forgelog.get(unicode, { token: null })).status).toBe(401);

  const anew = await must(forgelog.post(`${client}/reset_token`));
  expect(anew.instance_id).not.toBe(instance_id);
  expect((await ask(at, instance_id)).status).toBe(401);
  expect((await ask(at, anew.instance_id)).status).toBe(200);
  await must(forgelog.put(`/projects/${id}`, { operations_access_level: 'disabled' }));
  expect((await ask(at, anew.instance_id)).status).toBe(401);
});

test('whoever guesses instance ids is slowed down, and clients that were there go on', async () => {
  const forgelog = await forgelogForTest({ environment: { TRUSTED_PROXIES: 'loopback' } });
  const { id } = await must(forgelog.post('/projects', { path: 'program' }));
  const { instance_id } = await must(forgelog.get(`/projects/${id}/feature_flags_client`));
  const ask = async (instanceId: string, address: string) => {
    const headers = { 'UNLEASH-INSTANCEID': instanceId, 'X-Forwarded-For': address };
    return (await forgelog.get(`/feature_flags/unleash/${id}/client/features`, { token: null, headers }))
      .status;
  };
  const [guesser, other] = ['203.0.113.7', '203.0.113.8'];
  expect(await ask(instance_id, guesser)).toBe(200);
  for (let at = 0; at < 50; at++) expect(await ask(`guess-${at}`, guesser)).toBe(401);
  expect(await ask('one-more', guesser)).toBe(429);
  expect(await ask('one-more', other)).toBe(401);
  expect([await ask(instance_id, guesser), await ask(instance_id, other)]).toEqual([200, 200]);
});

test('of two flags of one name made at once one is made, and a reset is in the audit log', async () => {
  const forgelog = await forgelogForTest();
  const { id } = await must(forgelog.post('/projects', { path: 'program' }));
  const name = 'night_mode';
  const create = () => forgelog.post(`/projects/${id}/feature_flags`, { name });
  const both = await Promise.all([create(), create()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  expect(await must(forgelog.get(`/projects/${id}/feature_flags`))).toMatchObject([{ name }]);
  const { instance_id } = await must(forgelog.post(`/projects/${id}/feature_flags_client/reset_token`));
  const told = await must(forgelog.get(`/projects/${id}/audit_events`));
  expect(told[0].details).toMatchObject({ target_type: 'FeatureFlagsClient' });
  expect(JSON.stringify(told)).not.toContain(instance_id);
});
