import {
  findSshKey,
  getAnySshKey,
  gpgKeyEndpoints,
  sshKeyEndpoints,
} from '@forgelog/contracts/admin/user-keys/user-key.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, asc, eq, has, or } from '@forgelog/eventing/query.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { deployKeyProjects, deployKeys } from '../deploy-keys/deploy-keys.projection.ts';
import { createKey, type KeyKind, type NewKey } from './user-key.commands.ts';
import { userKeyDecider, userKeyStream } from './user-key.decider.ts';
import { foundDeployKeyJson, gpgKeyJson, ownedSshKeyJson, sshKeyJson } from './user-key.view.ts';
import { type UserKeyRow, userKeys } from './user-keys.projection.ts';

/** Projects of a deploy key that an answer names. */
const MOST_PROJECTS = 1000;

const NAMES = { ssh: 'Key', gpg: 'GPG Key' } as const;

export function userKeyRoutes(ports: ServicePorts): Implementation[] {
  const { readStore } = ports;
  const ownedView = ownedSshKeyJson.renderer(ports);
  const deployKeyView = foundDeployKeyJson.renderer(ports);
  const missing = () => new Rejection('not_found', { what: NAMES.ssh });
  const shown = async (row: UserKeyRow) => json(ownedView.one(row, await ownerOf(ports, row.userId)));

  return [
    ...routesOf(ports, 'ssh', sshKeyEndpoints),
    ...routesOf(ports, 'gpg', gpgKeyEndpoints),

    implement(getAnySshKey, async ({ params }) => {
      const row = await readStore.get(userKeys, params.key_id);
      if (row?.kind !== 'ssh') throw missing();
      return shown(row);
    }),

    implement(findSshKey, async ({ params: { fingerprint } }) => {
      const name = fingerprint.replace(/^SHA256:|^MD5:/, '').replace(/=+$/, '');
      const where = and(has('keyIds', name), eq('kind', 'ssh'));
      const [row] = await readStore.find(userKeys, { where, limit: 1 });
      if (row) return shown(row);
      const [deployKey] = await readStore.find(deployKeys, {
        where: or(eq('sha256', name), eq('md5', name)),
        limit: 1,
      });
      if (!deployKey) throw missing();
      const enabled = await readStore.find(deployKeyProjects, {
        where: eq('deployKeyId', deployKey.id),
        sort: [asc('projectId')],
        limit: MOST_PROJECTS,
      });
      return json(deployKeyView.one(deployKey, { enabled }));
    }),
  ];
}

function routesOf(
  ports: ServicePorts,
  kind: KeyKind,
  endpoints: typeof sshKeyEndpoints | typeof gpgKeyEndpoints,
): Implementation[] {
  const { commands, directory, readStore } = ports;
  const view = kind === 'ssh' ? sshKeyJson.renderer(ports) : gpgKeyJson.renderer(ports);
  const { listOwn, createOwn, getOwn, deleteOwn, list, create, get, delete: remove } = endpoints;

  async function needUser(idOrName: string | number): Promise<number> {
    const parsed = parseIdOrPath(String(idOrName));
    const found = await (typeof parsed === 'number' ? directory.user(parsed) : directory.userByName(parsed));
    if (!found || found.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
    return found.id;
  }

  async function needKey(id: number, userId: number): Promise<UserKeyRow> {
    const row = await readStore.get(userKeys, id);
    if (row?.kind !== kind || row.userId !== userId) throw new Rejection('not_found', { what: NAMES[kind] });
    return row;
  }

  const answerOf = async (row: UserKeyRow, status = 200) =>
    json(view.one(row, await ownerOf(ports, row.userId)), { status });

  async function listOf(userId: number, page: ApiRequest['page']): Promise<Answer> {
    const where = and(eq('userId', userId), eq('kind', kind));
    const { documents, next } = await pageOf(readStore, userKeys, { where, sort: [asc('id')], page });
    return { kind: 'list', items: view.list(documents, await ownerOf(ports, userId)), next };
  }

  async function created(key: NewKey, userId: number, metadata: EventMetadata) {
    const id = await createKey(ports, kind, userId, key, metadata);
    return answerOf(await needKey(id, userId), 201);
  }

  async function deleted(id: number, userId: number, metadata: EventMetadata) {
    const { fingerprint } = await needKey(id, userId);
    const command = { type: 'DeleteUserKey', userKeyId: id, fingerprint } as const;
    await commands.handle(userKeyDecider, userKeyStream(fingerprint), command, metadata);
    return noContent();
  }

  return [
    implement(listOwn, ({ caller, page }) => listOf(caller.userId, page)),
    implement(createOwn, ({ params, caller, metadata }) =>
      created(params as unknown as NewKey, caller.userId, metadata),
    ),
    implement(getOwn, async ({ params, caller }) => answerOf(await needKey(params.key_id, caller.userId))),
    implement(deleteOwn, ({ params, caller, metadata }) => deleted(params.key_id, caller.userId, metadata)),
    implement(list, async ({ params, page }) => listOf(await needUser(params.id), page)),
    implement(create, async ({ params, metadata }) =>
      created(params as unknown as NewKey, await needUser(params.id as number), metadata),
    ),
    implement(get, async ({ params }) => answerOf(await needKey(params.key_id, await needUser(params.id)))),
    implement(remove, async ({ params, metadata }) =>
      deleted(params.key_id, await needUser(params.id), metadata),
    ),
  ];
}

async function ownerOf({ directory, host }: ServicePorts, userId: number) {
  const name = (await directory.user(userId))?.name ?? '';
  return { comment: `${name} (${new URL(host).hostname})` };
}
