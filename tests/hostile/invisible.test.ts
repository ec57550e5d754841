import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../support/must.ts';
import { type Answer, inBatches, type Sent, send } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { unchanged } from './unchanged.ts';
import { addressOf, bodyOf, inBody, recordOf, recordsIn, type ValidCall, validCall } from './valid-calls.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.forgelog.stop());

const NOWHERE = 987_654;
const isArchive = ({ id }: AnyEndpoint) => id.startsWith('repo-archive');

function make(endpoint: AnyEndpoint, call: ValidCall, sent: Sent): Promise<Answer> {
  const path = addressOf(endpoint, call.inPath, inBody(endpoint) ? {} : call.rest);
  const method = endpoint.id.endsWith('event-stream') ? 'HEAD' : endpoint.method;
  return send(world.forgelog, method, path, { ...bodyOf(endpoint, call), ...sent });
}

/** All of an answer that somebody could tell two of apart by; times and the request's own id are not of the matter. */
function whole({ status, headers, text }: Answer): object {
  const { date: _, 'x-request-id': __, etag: ___, ...rest } = headers;
  // The addresses of other pages repeat what the caller himself has asked for.
  if (typeof rest.link === 'string') rest.link = rest.link.replace(/\b(\w+_id)=\d+/g, '$1');
  return { status, headers: rest, text };
}

async function differences(
  cases: readonly { what: string; there: () => Promise<Answer>; absent: () => Promise<Answer> }[],
): Promise<string[]> {
  const found = await unchanged(world.forgelog, () =>
    inBatches(cases, async ({ what, there, absent }) => {
      const [one, other] = await Promise.all([there(), absent()]);
      const [a, b] = [JSON.stringify(whole(one)), JSON.stringify(whole(other))];
      return a === b ? null : `${what}: ${a} and not ${b}`;
    }),
  );
  return found.filter((text) => text !== null);
}

describe('a place that the caller may not see', () => {
  const inPlaces = endpoints.filter(({ access }) => access.kind === 'project' || access.kind === 'group');

  test.each(inPlaces.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s: is one that is not there',
    async (_id, endpoint) => {
      const { people, places } = world;
      const access = endpoint.access as { kind: 'project' | 'group'; param: string };
      const id = access.kind === 'project' ? 'projectId' : 'groupId';
      const path = access.kind === 'project' ? 'projectPath' : 'groupPath';
      const callers = [
        ['nobody', null, places.private],
        ['an outsider', people.outsider.token, places.private],
        ['an external user', people.external.token, places.internal],
        ['a member of another place', people.owner.token, places.foreign],
      ] as const;
      const cases = [];
      for (const [who, token, place] of callers) {
        if (isArchive(endpoint) && token === null) continue;
        const call = await validCall(endpoint, world, place);
        const at = (value: string | number) => () =>
          make(endpoint, { ...call, inPath: { ...call.inPath, [access.param]: value } }, { token });
        cases.push({ what: `${who}, by id`, there: at(place[id]), absent: at(NOWHERE) });
        if (isArchive(endpoint)) continue;
        // A path as long as the one that is there: what comes back of it would show in the length.
        const nowhere = place[path].replace(/./g, 'q');
        cases.push({ what: `${who}, by path`, there: at(place[path]), absent: at(nowhere) });
      }
      expect(await differences(cases)).toEqual([]);
    },
  );
});

const absentOf = (name: string) => (name === 'discussion_id' ? 'f'.repeat(40) : NOWHERE);

describe("a record of another's", () => {
  const withRecords = endpoints.flatMap((endpoint) =>
    recordsIn(endpoint).map((name) => [endpoint.id, name, endpoint] as const),
  );

  test.each(withRecords)(
    '%s: %s of another place is none, to administrators too',
    async (_id, name, endpoint) => {
      const call = await validCall(endpoint, world, world.places.private);
      const other = await recordOf(endpoint, name, world, world.places.foreign);
      expect(other).toBeTruthy();
      const at = (value: string | number, token: string) => () =>
        make(endpoint, { ...call, inPath: { ...call.inPath, [name]: value } }, { token });
      const cases = (['owner', 'admin'] as const).map((who) => {
        const { token } = world.people[who];
        return { what: who, there: at(other, token), absent: at(absentOf(name), token) };
      });
      expect(await differences(cases)).toEqual([]);
      const answer = await at(other, world.people.admin.token)();
      expect(answer.status).toBe(404);
    },
  );

  test('a note belongs to its discussion and its issue', async () => {
    const { forgelog, places } = world;
    const { projectId, issueIid, discussionId } = places.private;
    const issues = `/projects/${projectId}/issues`;
    const second = (await must(forgelog.post(issues, { title: 'Second' }))).iid;
    const other = await must(forgelog.post(`${issues}/${second}/discussions`, { body: 'There' }));
    const noteId = other.notes[0].id;
    const api = (path: string) => `/api/v4${issues}/${issueIid}${path}`;
    const pairs = [
      [`/notes/${noteId}`, `/notes/${NOWHERE}`],
      [`/discussions/${other.id}`, `/discussions/${'f'.repeat(40)}`],
      [`/discussions/${discussionId}/notes/${noteId}`, `/discussions/${discussionId}/notes/${NOWHERE}`],
      [`/discussions/${other.id}/notes/${noteId}`, `/discussions/${'f'.repeat(40)}/notes/${noteId}`],
    ] as const;
    const cases = pairs.flatMap(([there, absent]) =>
      ['GET', 'PUT', 'DELETE'].map((method) => ({
        what: `${method} ${there}`,
        there: () => send(forgelog, method, api(there), method === 'PUT' ? { json: { body: 'mine' } } : {}),
        absent: () => send(forgelog, method, api(absent), method === 'PUT' ? { json: { body: 'mine' } } : {}),
      })),
    );
    expect(await differences(cases)).toEqual([]);
  });

  test("a to-do item and a token of somebody else's are none", async () => {
    const { forgelog, people, places } = world;
    const todo = await must(
      forgelog.post(`/projects/${places.public.projectId}/issues/${places.public.issueIid}/todo`),
    );
    const token = await must(
      forgelog.post(`/users/1/personal_access_tokens`, { name: 'x', scopes: ['api'] }),
    );
    const by = { token: people.outsider.token };
    const cases = [
      ['POST', `/todos/${todo.id}/mark_as_done`, `/todos/${NOWHERE}/mark_as_done`],
      ['GET', `/personal_access_tokens/${token.id}`, `/personal_access_tokens/${NOWHERE}`],
      ['DELETE', `/personal_access_tokens/${token.id}`, `/personal_access_tokens/${NOWHERE}`],
      ['GET', '/personal_access_tokens?user_id=1', `/personal_access_tokens?user_id=${NOWHERE}`],
    ].map(([method, there, absent]) => ({
      what: `${method} ${there}`,
      there: () => send(forgelog, method!, `/api/v4${there}`, by),
      absent: () => send(forgelog, method!, `/api/v4${absent}`, by),
    }));
    expect(await differences(cases)).toEqual([]);
  });
});

/** Parameters that name a place beside the one in the path: the caller sees the one, and not the other. */
const NAMED: Readonly<Record<string, (place: World['places']['private']) => unknown>> = {
  parent_id: ({ groupId }) => groupId,
  namespace_id: ({ groupId }) => groupId,
  from_project_id: ({ projectId }) => projectId,
  start_project: ({ projectId }) => projectId,
  project_id: ({ projectId }) => projectId,
  group_id: ({ groupId }) => groupId,
  group_id_for_saml: ({ groupId }) => groupId,
};

describe('a place in a parameter', () => {
  const naming = endpoints.flatMap((endpoint) =>
    Object.keys(NAMED)
      .filter((name) => name in endpoint.params && !endpoint.path.includes(`:${name}`))
      .map((name) => [endpoint.id, name, endpoint] as const),
  );

  test.each(naming)('%s: %s that may not be seen is none', async (_id, name, endpoint) => {
    const { people, places } = world;
    const { token } = people.maintainer;
    const call = await validCall(endpoint, world, places.private);
    const at = (value: unknown) => () =>
      make(endpoint, { ...call, rest: { ...call.rest, [name]: value } }, { token });
    const cases = [{ what: name, there: at(NAMED[name]!(places.foreign)), absent: at(NOWHERE) }];
    expect(await differences(cases)).toEqual([]);
  });
});

describe('a confidential issue', () => {
  const ofIssues = endpoints.filter(({ path }) => path.includes(':issue_iid'));

  test.each(ofIssues.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s: is none to whoever may not read it',
    async (_id, endpoint) => {
      const { people, places } = world;
      const cases = [];
      for (const [who, token, place] of [
        ['nobody', null, places.public],
        ['an outsider', people.outsider.token, places.public],
        ['a guest', people.guest.token, places.public],
        ['a guest', people.guest.token, places.private],
      ] as const) {
        const call = await validCall(endpoint, world, place);
        const at = (issue_iid: number) => () =>
          make(endpoint, { ...call, inPath: { ...call.inPath, issue_iid } }, { token });
        cases.push({
          what: `${who} in ${place.visibility}`,
          there: at(place.confidentialIid),
          absent: at(NOWHERE),
        });
      }
      expect(await differences(cases)).toEqual([]);
    },
  );
});

describe('over git', () => {
  const paths = (path: string) => [
    `/${path}.git/info/refs?service=git-upload-pack`,
    `/${path}.git/info/refs?service=git-receive-pack`,
    `/${path}.git/git-upload-pack`,
    `/${path}.git/git-receive-pack`,
    `/${path}/info/refs?service=git-upload-pack`.replace('.git', ''),
  ];
  const basic = (token: string) => ({
    Authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
  });

  test('a project that may not be seen is one that is not there', async () => {
    const { people, places, forgelog } = world;
    const cases = [];
    for (const [who, headers, place] of [
      ['nobody', {}, places.private],
      ['nobody', {}, places.internal],
      ['an outsider', basic(people.outsider.token), places.private],
      ['an external user', basic(people.external.token), places.internal],
      ['a member of another place', basic(people.owner.token), places.foreign],
    ] as const) {
      const [real, nowhere] = [paths(place.projectPath), paths(place.projectPath.replace(/\w/g, 'q'))];
      for (const [at, path] of real.entries()) {
        const method = path.includes('info/refs') ? 'GET' : 'POST';
        if (!path.includes('.git')) continue; // a redirect that asks nobody: held below
        const type = `application/x-${path.split('/').at(-1)}-request`;
        const sent = { token: null, headers, ...(method === 'POST' ? { type, body: '0000' } : {}) };
        cases.push({
          what: `${who} ${path}`,
          there: () => send(forgelog, method, path, sent),
          absent: () => send(forgelog, method, nowhere[at]!, sent),
        });
      }
    }
    expect(await differences(cases)).toEqual([]);
  });

  test('the redirect to the address with .git is the same for every name', async () => {
    const { places, forgelog } = world;
    for (const path of [places.private.projectPath, 'qqqqqqqqqqqqq/qqqqqqq']) {
      const answer = await send(forgelog, 'GET', `/${path}/info/refs?service=git-upload-pack`, {
        token: null,
      });
      expect(answer).toMatchObject({
        status: 301,
        headers: { location: `/${path}.git/info/refs?service=git-upload-pack` },
      });
    }
  });
});
