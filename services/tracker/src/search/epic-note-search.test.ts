import { AccessLevel, type AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { createEpic, deleteEpic, updateEpic } from '@forgelog/contracts/tracker/epics/epic.api.ts';
import { epicNotes } from '@forgelog/contracts/tracker/epics/epic-discussion.api.ts';
import { searchGroup, searchInstance } from '@forgelog/contracts/tracker/search/search.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  on,
  projectCreated,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { epicSlice } from '../epics/epic.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { searchSlice } from './search.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER, ADMIN, BELOW_ONLY] = [1, 2, 3, 4, 5, 6];
const [TEAM, OPEN, HIDDEN, ELSEWHERE] = [7, 8, 9, 10];
const inHidden = { namespaceId: HIDDEN, ownerId: null, fullPath: 'group7/group9/project20' };
const project = projectCreated(20);
const given = [
  ...[OWNER, REPORTER, GUEST, STRANGER, ADMIN, BELOW_ONLY].map((id) =>
    userCreated(id, { admin: id === ADMIN }),
  ),
  groupCreated(TEAM),
  groupCreated(OPEN, { parentId: TEAM, visibility: 'public', fullPath: 'group7/group8' }),
  groupCreated(HIDDEN, { parentId: TEAM, fullPath: 'group7/group9' }),
  groupCreated(ELSEWHERE, { visibility: 'public' }),
  ...[TEAM, ELSEWHERE].map((id) => groupMemberAdded(id, OWNER, 50)),
  groupMemberAdded(TEAM, REPORTER, 20),
  groupMemberAdded(TEAM, GUEST, 10),
  on(project.stream, { ...project.event, data: { ...(project.event.data as object), ...inHidden } }),
  memberAdded(20, BELOW_ONLY, 30),
];
const started = () => startSlices([epicSlice, labelSlice, discussionSlice([]), searchSlice([])], given);
type Running = Awaited<ReturnType<typeof started>>;

async function found(
  { call }: Running,
  as: number,
  params: object = {},
  endpoint: AnyEndpoint = searchInstance,
) {
  const asked = { scope: 'notes', search: 'engine', sort: 'asc', ...params };
  const { status, body, headers } = await call(endpoint, asked, as);
  expect([status, Number(headers['x-total'])]).toEqual([200, body.length]);
  return body.map(({ body: text }: { body: string }) => text);
}

/** An epic with a note on it. */
async function said({ call }: Running, id: number, note: object, epic: object = {}, as = OWNER) {
  const { body } = await call(createEpic, { id, title: 'Talk', ...epic }, as);
  const noted = await call(epicNotes.create, { id, epic_id: body.id, ...note }, as);
  expect(noted.status).toBe(201);
  return { id, iid: body.iid, epicId: body.id, noteId: noted.body.id };
}

test('notes on epics are found as far as the caller reads the epic, and the note', async () => {
  const running = await started();
  await said(running, TEAM, { body: 'engine team' });
  await said(running, OPEN, { body: 'engine open' });
  await said(running, OPEN, { body: 'engine secret' }, { confidential: true });
  await said(running, OPEN, { body: 'engine own' }, { confidential: true }, REPORTER);
  await said(running, HIDDEN, { body: 'engine hidden' });
  await said(running, ELSEWHERE, { body: 'engine elsewhere' });
  const inTeam = ['team', 'open', 'secret', 'own', 'hidden'].map((name) => `engine ${name}`);
  for (const as of [OWNER, REPORTER]) {
    expect(await found(running, as)).toEqual([...inTeam, 'engine elsewhere']);
    expect(await found(running, as, { id: TEAM }, searchGroup.dashed)).toEqual(inTeam);
  }
  expect(await found(running, ADMIN)).toEqual([...inTeam, 'engine elsewhere']);
  const asGuest = ['engine team', 'engine open', 'engine hidden'];
  expect(await found(running, GUEST, { id: TEAM }, searchGroup.plain)).toEqual(asGuest);
  expect(await found(running, STRANGER)).toEqual(['engine open', 'engine elsewhere']);
  expect(await found(running, STRANGER, { id: OPEN }, searchGroup.plain)).toEqual(['engine open']);
  // Who is in a project sees the groups above it.
  expect(await found(running, BELOW_ONLY)).toEqual([...asGuest, 'engine elsewhere']);
});

test('the index follows edits, deletions, and who may read the epic', async () => {
  const running = await started();
  const { call, ports } = running;
  const {
    id,
    iid: epic_iid,
    epicId: epic_id,
    noteId: note_id,
  } = await said(running, OPEN, { body: 'engine' });
  const [note] = (await call(searchInstance, { scope: 'notes', search: 'engine' }, STRANGER)).body;
  expect(note).toEqual((await call(epicNotes.get, { id, epic_id, note_id }, STRANGER)).body);
  await call(updateEpic, { id, epic_iid, confidential: true }, OWNER);
  expect(await found(running, STRANGER)).toEqual([]);
  expect(await found(running, REPORTER)).toEqual(['engine']);
  await call(updateEpic, { id, epic_iid, confidential: false }, OWNER);
  await call(epicNotes.edit, { id, epic_id, note_id, body: 'motor' }, OWNER);
  expect(await found(running, STRANGER)).toEqual([]);
  expect(await found(running, STRANGER, { search: 'motor' })).toEqual(['motor']);
  await call(deleteEpic, { id, epic_iid }, OWNER);
  expect(await found(running, OWNER, { search: 'motor' })).toEqual([]);
  await said(running, HIDDEN, { body: 'piston' });
  const event = {
    type: 'GroupDeleted',
    data: { groupId: HIDDEN, parentId: TEAM, path: 'group9', fullPath: 'group7/group9' },
  };
  await ports.commands.append(`group-${HIDDEN}`, 0, [event], SYSTEM_METADATA);
  expect(await found(running, ADMIN, { search: 'piston' })).toEqual([]);
});

test('a search sees the groups that rights open one by one', async () => {
  const { ports } = await started();
  const { directory } = ports;
  const authorizer = createAuthorizer(directory);
  const all = [TEAM, OPEN, HIDDEN, ELSEWHERE];
  for (const userId of [OWNER, REPORTER, GUEST, STRANGER, BELOW_ONLY])
    for (const minimum of [0, AccessLevel.guest, AccessLevel.reporter, AccessLevel.owner]) {
      const principal = {
        ...{ userId, isAdmin: false, external: false, scopes: ['api'], kind: 'personal_access_token' },
      } as unknown as Parameters<typeof directory.groupsWith>[0];
      const where = await directory.groupsWith(principal, minimum, 'id');
      const granted = await Promise.all(all.map((id) => authorizer.group(String(id), principal)));
      const wanted = granted.flatMap((grant) => (grant && grant.level >= minimum ? [grant.group.id] : []));
      expect(where, `${userId} ${minimum}`).toMatchObject({ field: 'id' });
      const { values } = where as unknown as { values: number[] };
      expect(
        [...values].sort((a, b) => a - b),
        `${userId} ${minimum}`,
      ).toEqual(wanted);
    }
});
