import {
  listBillableMembers,
  listBillableMemberships,
  removeBillableMember,
} from '@forgelog/contracts/admin/billable-members/billable-member.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { GroupSummary } from '@forgelog/service-kit/access.ts';
import { noContent } from '@forgelog/service-kit/answer.ts';
import { inOrder, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { billableMembers, isFound, orderOf } from './billable-member.query.ts';
import { billableMemberJson, billableMembershipJson } from './billable-member.view.ts';
import { membershipsBelow, removeBelow, removeFromGroup } from './group-member.commands.ts';
import { directMember, lasting } from './member.query.ts';
import { type MemberRow, members } from './members.collection.ts';

export function billableMemberRoutes(ports: ServicePorts): Implementation[] {
  const { directory } = ports;

  const memberView = billableMemberJson.renderer(ports);
  const membershipView = billableMembershipJson.renderer(ports);

  async function placed(row: MemberRow) {
    const isGroup = row.source === 'group';
    const place = (await (isGroup ? directory.namespace(row.sourceId) : directory.project(row.sourceId)))!;
    const membersPath = isGroup
      ? `groups/${place.fullPath}/-/group_members`
      : `${place.fullPath}/-/project_members`;
    return { ...row, sourceName: place.fullName, membersPath };
  }

  /** The user's memberships in the group and below, in order of creation. */
  async function membershipsOf(groupId: number, userId: number): Promise<MemberRow[]> {
    const own = await directMember(ports, { source: 'group', id: groupId, above: [], shared: [] }, userId);
    const below = await membershipsBelow(ports, groupId, userId);
    const current = below.filter(({ expiresAt }) => expiresAt === null || expiresAt > today(ports));
    return [...(own ? [own] : []), ...current].sort((a, b) => a.id - b.id);
  }

  return [
    implement(listBillableMembers, async ({ params, group, page: wanted }) => {
      requireTopLevel(group.group);
      const everybody = await billableMembers(ports, group.group.id);
      const owners = await ownersOf(ports, group.group.id);
      const search = params.search;
      const found = search ? everybody.filter((member) => isFound(member, search)) : everybody;
      const order = orderOf(params.sort);
      const { items, next } = pageOfArray(inOrder(found, order), wanted, params.sort ?? 'name_asc', order);
      const shown = items.map(async (billable) => ({
        ...(await directory.user(billable.user.id))!,
        billable,
        removable: !(owners.size === 1 && owners.has(billable.user.id)),
      }));
      return { kind: 'list', items: memberView.list(await Promise.all(shown)), next };
    }),

    implement(listBillableMemberships, async ({ params, group, page: wanted }) => {
      requireTopLevel(group.group);
      const memberships = await membershipsOf(group.group.id, params.user_id);
      if (memberships.length === 0) throw new Rejection('not_found', { what: 'User' });
      const { items, next } = pageOfArray(memberships, wanted, 'made', [
        { of: ({ id }) => id, direction: 'asc' },
      ]);
      return { kind: 'list', items: membershipView.list(await Promise.all(items.map(placed))), next };
    }),

    implement(removeBillableMember, async ({ params, group, caller, metadata }) => {
      requireTopLevel(group.group);
      const groupId = group.group.id;
      const { user_id: userId } = params;
      const memberships = await membershipsOf(groupId, userId);
      if (memberships.length === 0) throw new Rejection('not_found', { what: 'User' });
      const isDirect = memberships.some(({ source, sourceId }) => source === 'group' && sourceId === groupId);
      const reason = userId === caller.userId ? ('left' as const) : ('removed' as const);
      const removal = { groupId, userId, reason };
      if (isDirect) await removeFromGroup(ports, { ...removal, withSubresources: true }, metadata);
      else await removeBelow(ports, removal, metadata);
      return noContent();
    }),
  ];
}

/** Seats are counted per hierarchy [L451]. */
function requireTopLevel({ parentId }: GroupSummary): void {
  if (parentId !== null) throw new Rejection('refused', { message: '400 Bad request' });
}

async function ownersOf(ports: ServicePorts, groupId: number): Promise<Set<number>> {
  const owners = await ports.readStore.find(members, {
    where: and(
      eq('source', 'group'),
      eq('sourceId', groupId),
      eq('accessLevel', AccessLevel.owner),
      lasting(today(ports)),
    ),
    // Two suffice: the question is only whether there is more than one.
    limit: 2,
    select: ['userId'],
  });
  return new Set(owners.map(({ userId }) => userId));
}
