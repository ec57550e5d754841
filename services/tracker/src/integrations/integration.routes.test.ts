import { integrations, services } from '@forgelog/contracts/tracker/integrations/integration.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { integrationSlice } from './integration.slice.ts';

const OWNER = 1;
const DEVELOPER = 2;
const given = [
  ...[userCreated(OWNER), userCreated(DEVELOPER)],
  ...[projectCreated(7), projectCreated(8), memberAdded(7, DEVELOPER, 30)],
];
const wiki = { id: 7, slug: 'external-wiki', external_wiki_url: 'https://wiki.example.org' };
const SENDING = {
  environment: { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'Forgelog <forge@example.org>' },
};
const mails = { id: 7, slug: 'emails-on-push', recipients: 'a@example.org', disable_diffs: true };

test('a maintainer sets integrations up, lists them and removes them', async () => {
  const { call } = await startSlices([integrationSlice], given, SENDING);
  const set = await call(services.set, { ...mails, push_events: false }, OWNER);
  expect(set).toMatchObject({
    status: 200,
    body: {
      ...{ id: 1, slug: 'emails-on-push', title: 'Emails on push', active: true },
      ...{ push_events: false, tag_push_events: true, job_events: true },
      properties: { recipients: 'a@example.org', disable_diffs: true },
    },
    events: [{ type: 'IntegrationCreated', data: { projectId: 7, flagsOff: ['push_events'] } }],
  });
  await call(services.set, wiki, OWNER);
  const { properties: _, ...listed } = set.body;
  expect((await call(services.list, { id: 7 }, OWNER)).body).toMatchObject([
    listed,
    { slug: 'external-wiki' },
  ]);
  expect((await call(services.list, { id: 8 }, OWNER)).body).toEqual([]);
  const { slug } = mails;
  expect((await call(services.delete, { id: 7, slug }, OWNER)).status).toBe(204);
  for (const endpoint of [services.get, services.delete])
    expect(await call(endpoint, { id: 7, slug }, OWNER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Integration Not Found' }, events: [] },
    });
});

test('the newer address shows the same', async () => {
  const { call } = await startSlices([integrationSlice], given);
  const { body } = await call(integrations.set, wiki, OWNER);
  const { id, slug } = wiki;
  for (const { get } of [services, integrations])
    expect((await call(get, { id, slug }, OWNER)).body).toEqual(body);
});

test('others may not, and what is unknown or not an address changes nothing', async () => {
  const { call } = await startSlices([integrationSlice], given);
  const answers = [
    await call(services.set, wiki, DEVELOPER),
    await call(services.list, { id: 7 }, DEVELOPER),
  ];
  for (const wrong of [
    { slug: 'bingo' },
    { external_wiki_url: 'javascript:alert(1)' },
    { recipients: 'a@example.org' },
  ])
    answers.push(await call(services.set, { ...wiki, ...wrong }, OWNER));
  expect(answers.map(({ status, body }) => [status, body.message ?? body.error])).toEqual([
    [403, '403 Forbidden'],
    [403, '403 Forbidden'],
    [404, '404 Integration Not Found'],
    [400, expect.anything()],
    [400, 'recipients is no parameter of external-wiki'],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});

test('mails are refused where no mail server is, and in the name of somebody else everywhere', async () => {
  const silent = await startSlices([integrationSlice], given);
  for (const slug of ['emails-on-push', 'pipelines-email'])
    expect(await silent.call(services.set, { ...mails, slug }, OWNER)).toMatchObject({
      status: 400,
      body: { error: `${slug} is not possible: this server sends no mail, because SMTP_URL is not set` },
      events: [],
    });
  const { call } = await startSlices([integrationSlice], given, SENDING);
  expect(await call(services.set, { ...mails, send_from_committer_email: true }, OWNER)).toMatchObject({
    ...{ status: 400, body: { error: 'send_from_committer_email is not supported' }, events: [] },
  });
  expect((await call(services.set, { ...mails, send_from_committer_email: false }, OWNER)).status).toBe(200);
  const wanted = { id: 7, slug: 'pipelines-email', recipients: 'a@example.org, b@example.org' };
  expect((await call(services.set, wanted, OWNER)).body.properties).toEqual({
    recipients: 'a@example.org b@example.org',
  });
  for (const recipients of ['a@example.org,b@example.org', 'a@', '<a@example.org>', ','])
    expect((await call(services.set, { ...mails, recipients }, OWNER)).status).toBe(400);
});
