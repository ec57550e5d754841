import {
  getNamespace,
  listNamespaces,
  namespaceExists,
} from '@forgelog/contracts/admin/namespaces/namespace.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import { type DirectoryNamespace, directoryNamespaces } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { countMembers, isTaken, namespaceCondition } from './namespace.query.ts';
import { namespaceJson, type ShownNamespace } from './namespace.view.ts';

const OWNER = 50;
/** So many paths are tried for a suggestion. */
const TRIES = 100;

export function namespaceRoutes(ports: ServicePorts): Implementation[] {
  const { directory, readStore } = ports;
  const view = namespaceJson.renderer(ports);

  async function shown(namespace: DirectoryNamespace, caller: Principal): Promise<ShownNamespace> {
    const { id, kind, fullPath, ownerId } = namespace;
    const isGroup = kind === 'group';
    const mayCount =
      caller.isAdmin ||
      (isGroup ? (await directory.groupLevel(caller.userId, id)) >= OWNER : ownerId === caller.userId);
    return {
      ...namespace,
      page: isGroup ? `groups/${fullPath}` : fullPath,
      // A person's own namespace has one member.
      memberCount: mayCount ? (isGroup ? await countMembers(ports, id) : 1) : undefined,
    };
  }

  async function suggestion(path: string, parent: DirectoryNamespace | null): Promise<string[]> {
    for (let number = 1; number <= TRIES; number += 1)
      if (!(await isTaken(ports, `${path}${number}`, parent))) return [`${path}${number}`];
    return [];
  }

  return [
    implement(listNamespaces, async ({ params, caller, page }) => {
      const where = await namespaceCondition(params, caller, directory);
      const { documents, next } = await pageOf(readStore, directoryNamespaces, {
        ...{ where, sort: [asc('id')], page },
      });
      const rows = await Promise.all(documents.map((namespace) => shown(namespace, caller)));
      return { kind: 'list', items: view.list(rows), next };
    }),

    implement(getNamespace, async ({ params, caller }) => {
      const named = parseIdOrPath(params.id);
      const which = typeof named === 'number' ? eq('id', named) : eq('fullPathLower', named.toLowerCase());
      const where = and(which, await namespaceCondition({}, caller, directory));
      const [namespace] = await readStore.find(directoryNamespaces, { where, limit: 1 });
      if (!namespace) throw new Rejection('not_found', { what: 'Namespace' });
      return json(view.one(await shown(namespace, caller)));
    }),

    implement(namespaceExists, async ({ params, caller }) => {
      const { namespace: path, parent_id: parentId } = params;
      const where = and(eq('id', parentId ?? 0), await namespaceCondition({}, caller, directory));
      const [parent = null] =
        parentId === undefined ? [] : await readStore.find(directoryNamespaces, { where, limit: 1 });
      // Below a group that the caller does not know, nothing tells what is taken.
      const exists = (parentId === undefined || parent !== null) && (await isTaken(ports, path, parent));
      return value({ exists, suggests: exists ? await suggestion(path, parent) : [] });
    }),
  ];
}
