import { newSshKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { madeBy, type Stage, VISIBILITIES, type WeightedCommand } from './stage.ts';

const LEVELS = [10, 20, 30, 40] as const;

const aGroup = ({ pick }: Stage) => `/groups/${pick.groups()}`;
const aProject = ({ pick }: Stage) => `/projects/${pick.projects()}`;

export const peopleCommands: readonly WeightedCommand[] = [
  [4, createUser],
  [3, changeUser],
  [2, ({ send, pick }) => send('POST', `/users/${pick.users().id}/block`)],
  [2, ({ send, pick }) => send('POST', `/users/${pick.users().id}/unblock`)],
  [1, deleteUser],
  [1, createToken],
  [2, addEmail],
  [1, deleteEmail],
  [2, addKey],
  [1, deleteKey],
  [3, createGroup],
  [3, changeGroup],
  [1, deleteGroup],
  [8, (stage) => addMember(stage, aGroup(stage))],
  [8, (stage) => addMember(stage, aProject(stage))],
  [4, (stage) => changeMember(stage, aGroup(stage))],
  [4, (stage) => changeMember(stage, aProject(stage))],
  [3, (stage) => removeMember(stage, aGroup(stage))],
  [3, (stage) => removeMember(stage, aProject(stage))],
  [4, (stage) => share(stage, aProject(stage))],
  [3, (stage) => share(stage, aGroup(stage))],
  [1, ({ send, pick }) => send('DELETE', `/groups/${pick.groups()}/share/${pick.groups()}`)],
  [1, ({ send, pick }) => send('DELETE', `/projects/${pick.projects()}/share/${pick.groups()}`)],
];

function share({ send, random, pick, isHeads, dayWithin }: Stage, place: string) {
  const expires_at = isHeads() ? dayWithin(30) : undefined;
  const given = { group_id: pick.groups(), group_access: random.pick(LEVELS), expires_at };
  return send('POST', `${place}/share`, given);
}

export async function createUser({ calls, known, next }: Stage): Promise<void> {
  const username = `user${next()}`;
  const userId = madeBy(
    await calls.post('/users', {
      ...{ username, name: username, email: `${username}@example.org` },
      ...{ force_random_password: true, skip_confirmation: true },
    }),
  );
  if (userId === undefined) return;
  const wanted = { name: 'season', scopes: ['api'] };
  const token = await calls.post(`/users/${userId}/personal_access_tokens`, wanted);
  known.users.push({ id: userId, token: token.body.token });
}

function changeUser({ send, random, pick, isHeads, next }: Stage) {
  const change = random.pick([
    { name: `Renamed ${next()}` },
    { username: `moved${next()}` },
    { bio: `About ${next()}`, location: 'Here', website_url: '' },
    { external: isHeads() },
    { admin: isHeads() },
    { public_email: '', job_title: `Job ${next()}` },
  ]);
  return send('PUT', `/users/${pick.users().id}`, change);
}

async function deleteUser({ calls, known, pick, isHeads }: Stage): Promise<void> {
  if (known.users.length < 4) return;
  const user = pick.users();
  await calls.delete(`/users/${user.id}?hard_delete=${isHeads()}`);
  known.users = known.users.filter((other) => other !== user);
}

async function createToken({ calls, pick, dayWithin }: Stage): Promise<void> {
  const expires_at = dayWithin(20);
  const wanted = { name: 'short', scopes: ['read_api'], expires_at };
  await calls.post(`/users/${pick.users().id}/personal_access_tokens`, wanted);
}

async function addKey({ calls, pick, dayWithin, isHeads }: Stage): Promise<void> {
  const expires_at = isHeads() ? `${dayWithin(400)}T00:00:00Z` : undefined;
  const wanted = { title: 'season', key: newSshKey(), expires_at };
  await calls.post(`/users/${pick.users().id}/keys`, wanted);
}

async function addEmail({ calls, pick, isHeads, next }: Stage): Promise<void> {
  const wanted = { email: `season-${next()}@example.org`, skip_confirmation: isHeads() };
  await calls.post(`/users/${pick.users().id}/emails`, wanted);
}

async function deleteEmail({ calls, pick }: Stage): Promise<void> {
  const { id } = pick.users();
  const [email] = (await calls.get(`/users/${id}/emails`)).body;
  if (email) await calls.delete(`/users/${id}/emails/${email.id}`);
}

async function deleteKey({ calls, pick }: Stage): Promise<void> {
  const { id } = pick.users();
  const [key] = (await calls.get(`/users/${id}/keys`)).body;
  if (key) await calls.delete(`/users/${id}/keys/${key.id}`);
}

export async function createGroup({ calls, known, pick, isHeads, next }: Stage): Promise<void> {
  const parent_id = isHeads() && known.groups.length > 0 ? pick.groups() : undefined;
  const path = `group${next()}`;
  const visibility = parent_id ? 'private' : 'public';
  const group = madeBy(await calls.post('/groups', { name: path, path, parent_id, visibility }));
  if (group !== undefined) known.groups.push(group);
}

function changeGroup(stage: Stage) {
  const { send, random, next } = stage;
  return send('PUT', aGroup(stage), {
    ...random.pick([{ name: `Group ${next()}` }, { path: `renamed${next()}` }, { description: `${next()}` }]),
    ...random.pick([{}, { lfs_enabled: false }, { visibility: random.pick(VISIBILITIES) }]),
  });
}

async function deleteGroup({ calls, known, pick }: Stage): Promise<void> {
  if (known.groups.length < 5) return;
  const group = pick.groups();
  await calls.delete(`/groups/${group}`);
  known.groups = known.groups.filter((other) => other !== group);
}

function addMember({ calls, random, pick, isHeads, dayWithin }: Stage, path: string) {
  const expires_at = isHeads() ? dayWithin(30) : undefined;
  const member = { user_id: pick.users().id, access_level: random.pick(LEVELS), expires_at };
  return calls.post(`${path}/members`, member);
}

function changeMember({ calls, random, pick, dayWithin }: Stage, path: string) {
  const expires_at = random.pick(['', dayWithin(30), undefined]);
  const change = { access_level: random.pick(LEVELS), expires_at };
  return calls.put(`${path}/members/${pick.users().id}`, change);
}

const removeMember = ({ calls, pick }: Stage, path: string) =>
  calls.delete(`${path}/members/${pick.users().id}`);
