import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { followedLog } from '@forgelog/eventing/expiring-stream.ts';
import { createToken, createUser } from './accounts.ts';
import { eventually } from './eventually.ts';
import type { Forgelog } from './forgelog.ts';

/** More accounts than the access log tells apart in a minute. */
const ACCOUNTS = 120;

/** Lets an instance have an event of every type in the access log, and returns them. */
export async function tellAccess(forgelog: Forgelog): Promise<RecordedEvent[]> {
  const { body: project } = await forgelog.post('/projects', {
    name: 'seen',
    initialize_with_readme: true,
  });
  const { id } = await createUser(forgelog, { username: 'curious' });
  const token = await createToken(forgelog, id, ['api']);
  await forgelog.get(`/projects/${project.id}`, { token });
  await forgelog.get('/user', { token: 'a-token-that-never-was' });
  const { body: machine } = await forgelog.post(`/projects/${project.id}/deploy_tokens`, {
    ...{ name: 'machine', scopes: ['read_repository'] },
  });
  const { body: branch } = await forgelog.get(`/projects/${project.id}/repository/branches/main`);
  const address = `${forgelog.url}/${project.path_with_namespace}.git`;
  await fetchObjects(address, branch.commit.id, `root:${forgelog.rootToken}`);
  await fetch(`${address}/info/refs?service=git-upload-pack`, {
    headers: basic(`${machine.username}:${machine.token}`),
  });
  for (let at = 0; at < ACCOUNTS; at++)
    await fetch(`${address}/info/refs?service=git-upload-pack`, { headers: basic(`nobody-${at}:`) });
  return accessEvents(forgelog, ({ type }) => type === 'AccessRecordsOmitted');
}

/** Asks for a commit as a clone does, in version 0 of git's protocol. */
export async function fetchObjects(address: string, oid: string, account?: string): Promise<number> {
  const answer = await fetch(`${address}/git-upload-pack`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-git-upload-pack-request',
      ...(account && basic(account)),
    },
    body: `0032want ${oid}\n00000009done\n`,
  });
  await answer.arrayBuffer();
  return answer.status;
}

const basic = (account: string) => ({ Authorization: `Basic ${Buffer.from(account).toString('base64')}` });

/** The access log once it has such an event, which takes seconds. */
export async function accessEvents(
  { system }: Forgelog,
  hasCome: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent[]> {
  let events: RecordedEvent[] = [];
  await eventually('the access log has the event', async () => {
    events = await followedLog(system.accessLog!).readAll({ after: '', limit: 10_000 });
    return events.some(hasCome);
  });
  return events;
}
