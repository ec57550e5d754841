import { emailConfirmations } from '@forgelog/service-kit/email-confirmation.ts';
import { unsubscriptionTokens } from '@forgelog/tracker/notifications/unsubscription.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGroup, createUser, type TestUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { must } from '../support/must.ts';

let server: MailServer;
let forgelog: Forgelog;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let groupId: number;
let projects = 0;

beforeAll(async () => {
  server = await startMailServer();
  const url = new URL(server.url);
  url.username = 'forgelog';
  url.password = 'secret';
  forgelog = await startForgelog({
    environment: {
      SMTP_URL: url.href.replace(/\/$/, ''),
      MAIL_FROM: 'Forgelog <forge@example.org>',
      MAIL_DELAY_SECONDS: '0',
    },
  });
  ada = await createUser(forgelog, { name: 'Ada "A, B" <x@y>' });
  bob = await createUser(forgelog);
  eve = await createUser(forgelog);
  ({ id: groupId } = await createGroup(forgelog));
  for (const { id } of [ada, bob, eve])
    await must(forgelog.post(`/groups/${groupId}/members`, { user_id: id, access_level: 30 }));
  await eventually('mails to new members', () => server.mails.length === 3);
});
afterAll(async () => {
  await forgelog.stop();
  await server.down();
});
beforeEach(() => {
  server.answer = () => null;
  server.mails = [];
});

const by = ({ token }: TestUser) => ({ token });
const told = (mails: readonly ReceivedMail[] = server.mails) => mails.flatMap(({ to }) => to).sort();
const only = ({ email }: TestUser) => server.mails.filter(({ to }) => to.includes(email));

async function arrived(count: number): Promise<void> {
  await expect.poll(() => server.mails.length).toBe(count);
}

/** Nothing more comes once the policy has come to rest and no mail waits. */
async function settled(): Promise<void> {
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
}

async function project(more: object = {}): Promise<string> {
  const name = `mailed-${++projects}`;
  const { id } = await must(forgelog.post('/projects', { name, namespace_id: groupId, ...more }));
  return `/projects/${id}`;
}

const choose = (user: TestUser, place: string, choice: object) =>
  must(forgelog.put(`${place}/notification_settings`, choice, by(user)));

test('settings are inherited, and what would do nothing is refused', async () => {
  const at = await project();
  const get = async (place: string) => must(forgelog.get(`${place}/notification_settings`, by(bob)));
  expect(await get('')).toEqual({ level: 'participating', notification_email: bob.email });
  expect(await get(at)).toEqual({ level: 'global' });
  const chosen = await choose(bob, at, { level: 'custom', new_note: true, failed_pipeline: false });
  expect(chosen).toMatchObject({
    level: 'custom',
    events: { new_note: true, new_issue: false, failed_pipeline: false, fixed_pipeline: true },
  });
  expect(await get(at)).toEqual(chosen);
  expect(await choose(bob, at, { level: 'watch' })).toEqual({ level: 'watch' });
  const refused = async (place: string, choice: object) =>
    (await forgelog.put(`${place}/notification_settings`, choice, by(bob))).body.message;
  expect(await refused('', { level: 'global' })).toHaveProperty('level');
  expect(await refused('', { notification_email: ada.email })).toHaveProperty('notification_email');
  expect(await refused(at, { level: 'custom', issue_due: true })).toHaveProperty('issue_due');
  expect(await refused(at, { level: 'mention', new_note: true })).toHaveProperty('new_note');
  expect(await get(at)).toEqual({ level: 'watch' });
});

test('an issue is told of in a thread, to those whom it concerns and never to who did it', async () => {
  const at = await project();
  await choose(eve, at, { level: 'watch' });
  const stranger = await createUser(forgelog);
  const unconfirmed = await createUser(forgelog, { skip_confirmation: false });
  await must(forgelog.post(`${at}/members`, { user_id: unconfirmed.id, access_level: 30 }));
  const description = `See @${stranger.username} and @${unconfirmed.username}, **now**\u0000`.slice(0, -1);
  const issue = await must(
    forgelog.post(`${at}/issues`, { title: 'It leaks', description, assignee_ids: [bob.id] }, by(ada)),
  );
  await arrived(2);
  expect(told()).toEqual([bob.email, eve.email].sort());
  const [opened] = only(bob);
  const root = opened!.headers['message-id'];
  expect(opened!.headers).toMatchObject({
    subject: `mailed-${projects} | It leaks (#${issue.iid})`,
    from: expect.stringContaining('<forge@example.org>'),
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'x-gitlab-notificationreason': 'assigned',
    'auto-submitted': 'auto-generated',
    'list-id': expect.stringContaining(`mailed-${projects}`),
  });
  expect(opened!.headers['reply-to']).toBeUndefined();
  expect(opened!.from).toBe('forge@example.org');
  expect(opened!.text).toContain('**now**');
  expect(opened!.html).toContain('<strong>now</strong>');
  expect(server.signIns).toContain('forgelog:secret');

  server.mails = [];
  await must(forgelog.post(`${at}/issues/${issue.iid}/notes`, { body: 'I look at it' }, by(bob)));
  await arrived(2);
  expect(told()).toEqual([ada.email, eve.email].sort());
  const [note] = only(ada);
  expect(note!.headers).toMatchObject({
    subject: `Re: mailed-${projects} | It leaks (#${issue.iid})`,
    'in-reply-to': root,
    references: root,
    'x-gitlab-notificationreason': 'author',
  });
  expect(note!.headers['message-id']).not.toBe(root);

  server.mails = [];
  await must(forgelog.put(`${at}/issues/${issue.iid}`, { state_event: 'close' }, by(ada)));
  await arrived(2);
  await must(forgelog.put(`${at}/issues/${issue.iid}`, { state_event: 'reopen' }, by(eve)));
  await arrived(4);
  await must(forgelog.put(`${at}/issues/${issue.iid}`, { assignee_ids: [eve.id] }, by(ada)));
  await arrived(6);
  await settled();
  expect(told()).toEqual([bob, eve, ada, bob, bob, eve].map(({ email }) => email).sort());
  expect(only(eve).at(-1)!.headers['x-gitlab-notificationreason']).toBe('assigned');
});

test('each level tells of what it says, and the nearest place decides', async () => {
  const at = await project();
  await choose(bob, `/groups/${groupId}`, { level: 'watch' });
  await choose(eve, at, { level: 'custom', new_note: true });
  const { iid } = await must(forgelog.post(`${at}/issues`, { title: 'One' }, by(ada)));
  await arrived(1);
  expect(told()).toEqual([bob.email]);
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: 'noted' }, by(ada)));
  await arrived(3);
  await choose(bob, at, { level: 'mention' });
  await choose(eve, at, { level: 'disabled' });
  const text = { body: `@${eve.username} hidden from both` };
  await must(forgelog.post(`${at}/issues/${iid}/notes`, text, by(ada)));
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: `@${bob.username}` }, by(ada)));
  await arrived(4);
  await settled();
  expect(server.mails.at(-1)!.text).not.toContain('hidden from both');
  expect(told(server.mails.slice(3))).toEqual([bob.email]);
  await must(forgelog.put(`/groups/${groupId}/notification_settings`, { level: 'global' }, by(bob)));
});

test('what is confidential, or was taken away meanwhile, is told to nobody who may not read it', async () => {
  const at = await project();
  const guest = await createUser(forgelog);
  await must(forgelog.post(`${at}/members`, { user_id: guest.id, access_level: 10 }));
  await arrived(1);
  const { iid } = await must(forgelog.post(`${at}/issues`, { title: 'Open' }, by(ada)));
  const body = `Secret, @${guest.username} @${bob.username}`;
  const other = await must(
    forgelog.post(`${at}/issues`, { title: 'Hidden', description: body, confidential: true }, by(ada)),
  );
  await arrived(2);
  expect(only(guest)).toHaveLength(1);
  expect(only(bob)[0]!.headers.subject).toContain('Hidden');
  await choose(guest, at, { level: 'watch' });
  const hidden = { body: `Not for guests, @${guest.username} @${bob.username}`, confidential: true };
  await must(forgelog.post(`${at}/issues/${iid}/notes`, hidden, by(ada)));
  await arrived(3);
  expect(only(bob)).toHaveLength(2);

  // The server is busy while the right is taken away.
  server.answer = (command) => (command === 'RCPT' ? '450 later' : null);
  const attempts = server.connections;
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: 'For who may' }, by(ada)));
  await expect
    .poll(async () => (await metric('forgelog_mails_total{outcome="failed"}')) ?? 0)
    .toBeGreaterThan(0);
  expect(server.connections).toBeGreaterThanOrEqual(attempts);
  expect((await forgelog.delete(`${at}/members/${guest.id}`)).status).toBe(204);
  server.answer = () => null;
  await must(forgelog.put(`${at}/issues/${other.iid}`, { assignee_ids: [bob.id] }, by(ada)));
  await expect.poll(() => only(bob).length).toBe(3);
  await expect.poll(() => metric('forgelog_mails_waiting')).toBe(0);
  expect(only(guest)).toHaveLength(1);
});

async function metric(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${forgelog.url}/-/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('a mail that was refused for good is not sent again, one for later is, as the same message', async () => {
  const at = await project();
  const seen: string[] = [];
  server.answer = (command, address) => {
    if (command !== 'RCPT') return null;
    seen.push(address);
    return address === bob.email ? '550 nobody here' : seen.length < 3 ? '451 busy' : null;
  };
  const { iid } = await must(
    forgelog.post(`${at}/issues`, { title: 'To both', assignee_ids: [bob.id] }, by(ada)),
  );
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: `@${eve.username}` }, by(ada)));
  await arrived(1);
  await expect.poll(() => metric('forgelog_mails_waiting')).toBe(0);
  await settled();
  expect(seen.filter((address) => address === bob.email)).toHaveLength(2);
  expect(only(eve)).toHaveLength(1);
  const ends = async (user: TestUser) =>
    (
      await forgelog.system.store.readStream(
        `notificationMail-${user.id}-Issue-${(await must(forgelog.get(`${at}/issues/${iid}`))).id}`,
      )
    ).map(({ data }) => (data as { outcome: string }).outcome);
  expect(await ends(bob)).toEqual(['refused', 'refused']);
  expect(await ends(eve)).toEqual(['sent']);
});

test('a server that is down or says nothing loses no mail and holds up no request', async () => {
  const at = await project();
  await server.down();
  const began = performance.now();
  const { iid } = await must(
    forgelog.post(`${at}/issues`, { title: 'While it is down', assignee_ids: [bob.id] }, by(ada)),
  );
  expect(performance.now() - began).toBeLessThan(5000);
  await expect.poll(() => metric('forgelog_mails_waiting'), { timeout: 5000 }).toBe(1);
  await server.up();
  await arrived(1);
  const ids: string[] = [];
  server.answer = (command) => (command === 'MESSAGE' && ids.push('attempt') < 2 ? '421 going away' : null);
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: 'again' }, by(ada)));
  await arrived(2);
  expect(ids).toHaveLength(2);
  expect(only(bob)[1]!.headers['in-reply-to']).toBe(only(bob)[0]!.headers['message-id']);
});

test('texts of people put no line into a head, and long ones are cut', async () => {
  const at = await project();
  const title = 'Free\u2028Bcc: all@example.org \u202egnp.exe';
  const description = `${'word '.repeat(200_000)}<script>alert(1)</script>`;
  await must(forgelog.post(`${at}/issues`, { title, description, assignee_ids: [bob.id] }, by(ada)));
  await arrived(1);
  const [mail] = server.mails;
  expect(Object.keys(mail!.headers)).not.toContain('bcc');
  expect(mail!.headers.subject).toContain('Free Bcc: all@example.org gnp.exe');
  expect(mail!.to).toEqual([bob.email]);
  expect(mail!.raw.length).toBeLessThan(100_000);
  expect(mail!.text).toContain('It goes on at');
  expect(mail!.html).not.toContain('<script>');
  expect(mail!.headers.from).toContain('<forge@example.org>');
  expect(mail!.headers.from!.match(/</g)!.length).toBeLessThanOrEqual(2);
});

test('one click ends the mails about something, and a made-up address nothing', async () => {
  const at = await project();
  const { iid } = await must(
    forgelog.post(`${at}/issues`, { title: 'Noise', assignee_ids: [bob.id] }, by(ada)),
  );
  await arrived(1);
  const address = /<([^>]+)>/.exec(server.mails[0]!.headers['list-unsubscribe']!)![1]!;
  const path = new URL(address).pathname.replace('/api/v4', '');
  const anonymous = { token: null };
  const ask = await forgelog.get(path, anonymous);
  expect(ask).toMatchObject({ status: 200, text: expect.stringContaining('<form method="post">') });
  expect((await must(forgelog.get(`${at}/issues/${iid}`, by(bob)))).subscribed).toBe(true);
  const form = { ...anonymous, form: { 'List-Unsubscribe': 'One-Click' } };
  for (const _ of [1, 2]) expect((await forgelog.call('POST', path, form)).status).toBe(200);
  expect((await must(forgelog.get(`${at}/issues/${iid}`, by(bob)))).subscribed).toBe(false);
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: 'unheard' }, by(ada)));
  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: `@${bob.username} heard` }, by(ada)));
  await arrived(2);
  expect(only(bob)[1]!.text).not.toContain('unheard');
  const forged = path.replace(/-i\d+-/, '-i1-');
  for (const wrong of [forged, path.replace(/.(?=\/unsubscribe)/, '~'), '/sent_notifications/x/unsubscribe'])
    expect((await forgelog.call('POST', wrong, form)).status).toBe(404);

  const placed = unsubscriptionTokens(forgelog.system.ports.configuration).of({
    ...{ userId: eve.id, from: { projectId: Number(at.split('/')[2]), groupId: null } },
  });
  expect((await forgelog.call('POST', `/sent_notifications/${placed}/unsubscribe`, form)).status).toBe(200);
  expect(await must(forgelog.get(`${at}/notification_settings`, by(eve)))).toEqual({ level: 'disabled' });
});

test('merge requests, reviews, releases and memberships are told of', async () => {
  const at = await project({ initialize_with_readme: true });
  await choose(eve, at, { level: 'watch' });
  const actions = [{ action: 'create', file_path: 'engine.txt', content: 'steam' }];
  await must(
    forgelog.post(`${at}/repository/commits`, {
      ...{ branch: 'topic', start_branch: 'main', commit_message: 'Add an engine', actions },
    }),
  );
  const { iid } = await must(
    forgelog.post(
      `${at}/merge_requests`,
      { source_branch: 'topic', target_branch: 'main', title: 'An engine', reviewer_ids: [bob.id] },
      by(ada),
    ),
  );
  await arrived(2);
  expect(told()).toEqual([bob.email, eve.email].sort());
  expect(only(bob)[0]!.headers).toMatchObject({
    subject: `mailed-${projects} | An engine (!${iid})`,
    'x-gitlab-notificationreason': 'review_requested',
  });
  server.mails = [];
  await must(forgelog.put(`${at}/merge_requests/${iid}/merge`));
  await arrived(3);
  expect(told()).toEqual([ada.email, bob.email, eve.email].sort());
  expect(only(ada)[0]!.text).toContain('merged this merge request');
  server.mails = [];
  await must(
    forgelog.post(`${at}/releases`, { tag_name: 'v1', ref: 'main', name: 'First', description: 'All *new*' }),
  );
  await arrived(1);
  expect(only(eve)[0]).toMatchObject({ html: expect.stringContaining('<em>new</em>') });
  const late = await createUser(forgelog);
  await must(forgelog.post(`${at}/members`, { user_id: late.id, access_level: 20 }));
  await arrived(2);
  expect(only(late)[0]!.text).toContain('as a reporter');
});

test('subscribers of a label, and whoever started a pipeline, are told', async () => {
  const at = await project({ initialize_with_readme: true });
  const { id: labelId } = await must(forgelog.post(`${at}/labels`, { name: 'steam', color: '#fff000' }));
  await must(forgelog.post(`${at}/labels/${labelId}/subscribe`, {}, by(eve)));
  await must(forgelog.post(`${at}/issues`, { title: 'Hisses', labels: 'steam' }, by(ada)));
  await must(forgelog.post(`${at}/issues`, { title: 'Silent' }, by(ada)));
  await arrived(1);
  await settled();
  expect(only(eve)[0]!.headers).toMatchObject({ 'x-gitlab-notificationreason': 'subscribed' });
  expect(only(eve)[0]!.text).toContain('opened this issue');

  server.mails = [];
  const { id: sha } = await must(forgelog.get(`${at}/repository/commits/main`));
  const report = (state: string) =>
    must(forgelog.post(`${at}/statuses/${sha}`, { state, name: 'scan', ref: 'main' }, by(bob)));
  await report('failed');
  await arrived(1);
  await settled();
  expect(told()).toEqual([bob.email]);
  expect(only(bob)[0]!.headers.subject).toMatch(/Pipeline #\d+ failed$/);
});

test('pushes are mailed to whom the integration names, with commits and a diff, once each', async () => {
  const at = await project({ initialize_with_readme: true });
  const integration = `${at}/services/emails-on-push`;
  const recipients = 'one@example.org two@example.org';
  await must(forgelog.put(integration, { recipients }));
  const commit = (branch: string, content: string, message: string, more: object = {}) =>
    must(
      forgelog.post(
        `${at}/repository/commits`,
        {
          ...{ branch, commit_message: message, ...more },
          actions: [{ action: 'create', file_path: `${content}.txt`, content: `<b>${content}</b>\n` }],
        },
        by(ada),
      ),
    );
  // The second address is to be tried again, and the first is not to get a second mail.
  let refusals = 0;
  server.answer = (command, address) =>
    command === 'RCPT' && address === 'two@example.org' && refusals++ === 0 ? '451 busy' : null;
  const { id: sha } = await commit('main', 'steam', 'Add <steam>\n\nIt hisses.');
  await arrived(2);
  expect(told()).toEqual(['one@example.org', 'two@example.org']);
  const [mail, again] = server.mails;
  expect(mail!.headers).toMatchObject({
    subject: expect.stringMatching(/^\[Git\]\[.*mailed-\d+\]\[main\] Add <steam>$/),
    from: expect.stringContaining('<forge@example.org>'),
    'auto-submitted': 'auto-generated',
    'x-gitlab-project-id': at.split('/')[2],
  });
  expect(mail!.headers['message-id']).not.toBe(again!.headers['message-id']);
  for (const part of [sha.slice(0, 8), 'It hisses.', '+++ b/steam.txt', '+<b>steam</b>', '/-/compare/'])
    expect(mail!.text).toContain(part);
  expect(mail!.html).toContain('+&#60;b&#62;steam&#60;/b&#62;');

  server.mails = [];
  await must(
    forgelog.put(integration, {
      ...{ recipients: 'one@example.org', disable_diffs: true, branches_to_be_notified: 'default' },
    }),
  );
  await commit('topic', 'unheard', 'Unheard', { start_branch: 'main' });
  await commit('main', 'x'.repeat(50), 'Without a diff');
  await must(forgelog.post(`${at}/repository/tags`, { tag_name: 'v1', ref: 'topic', message: 'First' }));
  await arrived(2);
  await must(forgelog.put(integration, { tag_push_events: false, push_events: false }));
  await commit('main', 'silent', 'Silent');
  await must(forgelog.post(`${at}/repository/tags`, { tag_name: 'v2', ref: 'main' }));
  await settled();
  const subjects = server.mails.map(({ headers }) => headers.subject!.replace(/^.*\]/, ''));
  expect(subjects).toEqual([' Without a diff', ' Pushed new tag v1']);
  expect(server.mails[0]!.text).not.toContain('+++');
  expect(server.mails[1]!.text).toContain('First');
  const log = await forgelog.system.store.readStream(
    `integrationMessages-${(await must(forgelog.get(integration))).id}`,
  );
  expect(log.map(({ data }) => (data as { delivered: boolean }).delivered)).toEqual([true, true, true]);
  expect(JSON.stringify(log)).not.toContain('@example.org');
});

test('ends of pipelines are mailed to whom the integration names', async () => {
  const at = await project({ initialize_with_readme: true });
  await choose(bob, '', { level: 'mention' });
  const integration = `${at}/integrations/pipelines-email`;
  await must(forgelog.put(integration, { recipients: 'one@example.org' }));
  const branch = async (name: string) => {
    await must(forgelog.post(`${at}/repository/branches`, { branch: name, ref: 'main' }));
    const actions = [{ action: 'create', file_path: name, content: name }];
    const { id } = await must(
      forgelog.post(`${at}/repository/commits`, { branch: name, commit_message: name, actions }),
    );
    return id;
  };
  const report = (sha: string, ref: string, state: string) =>
    must(forgelog.post(`${at}/statuses/${sha}`, { state, name: `scan ${ref} <b>`, ref }, by(bob)));
  const { id: sha } = await must(forgelog.get(`${at}/repository/commits/main`));
  await report(sha, 'main', 'running');
  await report(sha, 'main', 'failed');
  await arrived(1);
  const [failed] = server.mails;
  expect(failed!.to).toEqual(['one@example.org']);
  expect(failed!.headers.subject).toMatch(/^mailed-\d+ \| Failed pipeline for main \| [0-9a-f]{8}$/);
  expect(failed!.text).toContain('- scan main <b>');
  expect(failed!.html).toContain('scan main &#60;b&#62;');
  await report(await branch('topic'), 'topic', 'failed');
  await must(
    forgelog.put(integration, { notify_only_broken_pipelines: false, notify_only_default_branch: false }),
  );
  await report(await branch('other'), 'other', 'success');
  await arrived(2);
  await settled();
  expect(server.mails[1]!.headers.subject).toContain('Successful pipeline for other');
  await choose(bob, '', { level: 'participating' });
});

test('mails have the lines that administrators set, where they want it', async () => {
  const look = { header_message: 'Above *all*', footer_message: 'Below', message_font_color: '#000000' };
  await must(forgelog.put('/application/appearance', { ...look, email_header_and_footer_enabled: true }));
  const place = await project();
  const { iid } = await must(
    forgelog.post(`${place}/issues`, { title: 'Framed', assignee_ids: [bob.id] }, by(ada)),
  );
  await arrived(1);
  const [framed] = server.mails;
  expect(framed!.text).toMatch(/^Above \*all\*\r?\n[\s\S]*\nBelow\s*$/);
  expect(framed!.html).toContain('color: #000000">Above <em>all</em></div>');
  expect(framed!.html).toContain('">Below</div>');
  await must(forgelog.put('/application/appearance', { email_header_and_footer_enabled: false }));
  await must(forgelog.post(`${place}/issues/${iid}/notes`, { body: 'Plain' }, by(ada)));
  await arrived(2);
  expect(server.mails[1]!.text).not.toContain('Above');
  await must(forgelog.put('/application/appearance', { header_message: '', footer_message: '' }));
});

test('a new address is asked whether it is of the account, and the link in the mail confirms it', async () => {
  const address = 'ada@engines.example';
  const added = await must(forgelog.post('/user/emails', { email: address }, by(ada)));
  await must(forgelog.post(`/users/${bob.id}/emails`, { email: 'bob@one.example', skip_confirmation: true }));
  await arrived(1);
  await settled();
  const [mail] = server.mails;
  expect(told()).toEqual([address]);
  const token = emailConfirmations(forgelog.system.ports.configuration).of({
    ...{ userId: ada.id, userEmailId: added.id },
  });
  const path = `/email_confirmations/${token}`;
  for (const text of [mail!.text, mail!.html]) expect(text).toContain(path);
  expect(await forgelog.get(path, { token: null })).toMatchObject({ status: 200 });
  expect((await forgelog.get(`/user/emails/${added.id}`, by(ada))).body.confirmed_at).toBeNull();
  expect(await forgelog.post(path, {}, { token: null })).toMatchObject({ status: 200 });
  expect((await forgelog.get(`/user/emails/${added.id}`, by(ada))).body.confirmed_at).not.toBeNull();

  // Whoever adds addresses of strangers sends few mails an hour; the others end with their address.
  server.mails = [];
  for (let at = 0; at < 12; at += 1)
    await must(forgelog.post('/user/emails', { email: `stranger-${at}@example.com` }, by(ada)));
  await must(forgelog.post('/user/emails', { email: 'bob@engines.example' }, by(bob)));
  await eventually('a mail to another user', () => told().includes('bob@engines.example'));
  expect(server.mails).toHaveLength(10);
});
