import { searchUsers } from '@forgelog/contracts/admin/search/user-search.operations.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { searched, searchedWords } from '@forgelog/service-kit/searched.ts';
import { memberIds, placeOf } from '../members/member.query.ts';
import { listedUserJson } from '../users/user.view.ts';
import type { UserRecord } from '../users/user-record.ts';
import { users } from '../users/users.projection.ts';

export function userSearchOperations(ports: ServicePorts): OperationImplementation[] {
  const { readStore, directory } = ports;
  const view = listedUserJson.renderer(ports);
  const authorizer = createAuthorizer(directory);

  /** Members of a group, of those above it, and of those below it that the caller sees. */
  async function ofGroup(groupId: number, principal: Principal | null): Promise<number[]> {
    const ids = new Set(await memberIds(ports, await placeOf(ports, 'group', groupId)));
    for (const below of await directory.groupsBelow(groupId)) {
      if (!(await authorizer.group(String(below), principal))) continue;
      for (const id of await directory.groupMembers(below)) ids.add(id);
    }
    return [...ids];
  }

  async function among(
    place: { groupId: number | null; projectId: number | null },
    principal: Principal | null,
  ): Promise<Condition[]> {
    if (place.groupId !== null) return [oneOf('id', await ofGroup(place.groupId, principal))];
    if (place.projectId === null) return [];
    return [oneOf('id', await memberIds(ports, await placeOf(ports, 'project', place.projectId)))];
  }

  return [
    implementOperation(searchUsers, async ({ request, principal }) => {
      const { search, byTime, page } = request;
      const { found, sort } = searched(
        searchedWords(search),
        { telling: ['username', 'name'], byTime },
        (direction) => [{ field: 'id', direction }],
      );
      // A whole address finds its user, as in the list of users.
      const exact = search.trim().toLowerCase();
      const where = and(...(await among(request, principal)), or(found, eq('emailLower', exact)));
      const first = byTime === null ? eq('usernameLower', exact) : undefined;
      const { documents, next } = await pageOf(readStore, users, { where, sort, first, page });
      const items = documents.map(({ record }) => String(view.one(record as UserRecord)));
      return { items, next };
    }),
  ];
}
