import { groupBadges, projectBadges } from '@forgelog/contracts/repo/badges/badge.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { repositoryRefsProjection } from '../repository-storage/repository-refs.projection.ts';
import { badgeSlice } from './badge.slice.ts';

interface Shown {
  id: number;
  name: string | null;
  kind: string;
}

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const GUEST = 5;
const OID = 'a'.repeat(40);

const group = (groupId: number, parentId: number | null) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: `g${groupId}`, path: `g${groupId}`, description: '', settings: {} },
      fullPath: parentId === null ? `g${groupId}` : `g${parentId}/g${groupId}`,
      ...{ visibility: 'private', creatorId: OWNER, ownerId: OWNER },
    },
  });
const place = { namespaceId: 51, ownerId: null, defaultBranch: 'main', name: 'Project & 7' };
const inGroup = projectCreated(7);
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER, GUEST].map((id) => userCreated(id)),
  ...[group(50, null), group(51, 50), group(52, null)],
  on(inGroup.stream, {
    ...inGroup.event,
    data: { ...(inGroup.event.data as object), ...place, fullPath: 'g50/g51/project7' },
  }),
  projectCreated(8, { visibility: 'public' }),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
  memberAdded(7, GUEST, 10),
  on('repository-7', {
    type: 'RefUpdated',
    data: {
      ...{ projectId: 7, ref: 'refs/heads/main', oldOid: '0'.repeat(40), newOid: OID },
      ...{ commitCount: 1, commitCountIsLowerBound: false, commitTitle: 'First', via: 'push' },
      ...{ forced: false, pushId: 'one', merge: null, suggestionIds: [] },
    },
  }),
];
const refs = defineSlice<ServicePorts>({ projections: [repositoryRefsProjection] });
const start = () => startSlices([badgeSlice, refs], given);

const badge = {
  link_url: 'https://ci.example.org/%{project_path}',
  image_url: 'https://ci.example.org/%{project_id}/%{default_branch}/%{commit_sha}.svg?%{project_title}',
};
const rendered = {
  rendered_link_url: 'https://ci.example.org/g50/g51/project7',
  rendered_image_url: `https://ci.example.org/7/main/${OID}.svg?Project%20%26%207`,
};

test('a maintainer adds, reads, changes and deletes a badge of a project', async () => {
  const { call } = await start();
  const created = await call(projectBadges.create, { id: 7, ...badge }, MAINTAINER);
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, name: null, kind: 'project', ...badge, ...rendered },
    events: [{ type: 'BadgeCreated', data: { badgeId: 1, projectId: 7, groupId: null } }],
  });
  const one = { id: 7, badge_id: 1 };
  expect((await call(projectBadges.get, one, DEVELOPER)).body).toEqual(created.body);
  const named = await call(projectBadges.update, { ...one, name: 'built' }, MAINTAINER);
  expect(named).toMatchObject({ status: 200, body: { ...badge, name: 'built' } });
  expect((await call(projectBadges.update, { ...one, name: 'built' }, MAINTAINER)).events).toEqual([]);
  expect((await call(projectBadges.delete, one, MAINTAINER)).status).toBe(204);
  expect((await call(projectBadges.list, { id: 7 }, MAINTAINER)).body).toEqual([]);
  expect((await call(projectBadges.get, one, MAINTAINER)).status).toBe(404);
});

test('a project shows the badges of the groups above it with its own values, and leaves changes to the groups', async () => {
  const { call } = await start();
  await call(groupBadges.create, { id: 50, ...badge, name: 'of the outer' }, OWNER);
  await call(projectBadges.create, { id: 7, ...badge, name: 'own' }, MAINTAINER);
  await call(groupBadges.create, { id: 52, ...badge, name: 'of another' }, OWNER);
  await call(groupBadges.create, { id: 51, ...badge, name: 'of the inner' }, OWNER);

  const { body: shown } = await call(projectBadges.list, { id: 7 }, DEVELOPER);
  expect(shown.map(({ name, kind }: Shown) => [name, kind])).toEqual([
    ['of the outer', 'group'],
    ['own', 'project'],
    ['of the inner', 'group'],
  ]);
  expect(shown[0]).toMatchObject(rendered);
  const named = await call(projectBadges.list, { id: 7, name: 'own' }, DEVELOPER);
  expect(named.body.map(({ id }: Shown) => id)).toEqual([2]);
  expect(await call(projectBadges.get, { id: 7, badge_id: 4 }, DEVELOPER)).toMatchObject({
    body: { name: 'of the inner', ...rendered },
  });
  expect((await call(projectBadges.get, { id: 7, badge_id: 3 }, DEVELOPER)).status).toBe(404);
  for (const endpoint of [projectBadges.update, projectBadges.delete]) {
    const refused = await call(endpoint, { id: 7, badge_id: 1, name: 'taken' }, MAINTAINER);
    expect(refused).toMatchObject({ status: 403, events: [] });
  }
});

test('a group shows its own badges as they are, with placeholders', async () => {
  const { call } = await start();
  const { body: outer } = await call(groupBadges.create, { id: 50, ...badge }, OWNER);
  expect(outer).toMatchObject({
    kind: 'group',
    rendered_link_url: badge.link_url,
    rendered_image_url: badge.image_url,
  });
  expect((await call(groupBadges.list, { id: 51 }, OWNER)).body).toEqual([]);
  expect((await call(groupBadges.update, { id: 51, badge_id: outer.id, name: 'x' }, OWNER)).status).toBe(404);
});

test('a preview is rendered and adds nothing', async () => {
  const { call } = await start();
  const preview = await call(projectBadges.render, { id: 7, ...badge }, MAINTAINER);
  expect(preview).toMatchObject({ status: 200, body: { ...badge, ...rendered }, events: [] });
  expect((await call(projectBadges.render, { id: 7, ...badge }, DEVELOPER)).status).toBe(403);
  expect((await call(projectBadges.list, { id: 7 }, MAINTAINER)).body).toEqual([]);
});

test('whoever does not see the code sees neither its branch nor its commit', async () => {
  const { call } = await start();
  await call(projectBadges.create, { id: 7, ...badge }, MAINTAINER);
  const { body } = await call(projectBadges.list, { id: 7 }, GUEST);
  expect(body[0]!.rendered_image_url).toBe(
    'https://ci.example.org/7/%{default_branch}/%{commit_sha}.svg?Project%20%26%207',
  );
});

test('only maintainers write, and an address that browsers run is refused', async () => {
  const { call } = await start();
  const refused = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    refused.push(await call(projectBadges.create, { id: 7, ...badge }, caller));
  refused.push(await call(groupBadges.create, { id: 51, ...badge }, MAINTAINER));
  for (const link_url of ['javascript:alert(1)', 'ci.example.org', ''])
    refused.push(await call(projectBadges.create, { id: 7, ...badge, link_url }, MAINTAINER));
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 401, 403, 400, 400, 400]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});
