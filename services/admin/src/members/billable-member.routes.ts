import {
  listBillableMembers,
  listBillableMemberships,
  removeBillableMember,
} from '@forgelog/contracts/admin/billable-member.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { GroupSummary } from '@forgelog/service-kit/access.ts';
import { noContent, page } from '@forgelog/service-kit/answer.ts';
import { inOrder, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { ref, TextRef, withMembers, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { roleTitle } from '../role-titles.ts';
import { type BillableMember, billableMembers, isFound, orderOf } from './billable-members.ts';
import { membershipsBelow, removeBelow, removeFromGroup } from './group-member.commands.ts';
import { directMember, lasting, today } from './member-queries.ts';
import { type MemberRow, members } from './members.collections.ts';

export function billableMemberRoutes(ports: ServicePorts): Implementation[] {
  const { directory } = ports;

  async function memberText({ user, membershipType }: BillableMember, removable: boolean): Promise<string> {
    const { body } = (await directory.user(user.id))!;
    return withMembers(body!, {
      email: user.publicEmail,
      last_activity_on: null,
      membership_type: membershipType,
      removable,
      created_at: user.createdAt,
    });
  }

  async function membershipText(row: MemberRow): Promise<string> {
    const id = row.sourceId!;
    const isGroup = row.source === 'group';
    const place = isGroup ? await directory.namespace(id) : await directory.project(id);
    return writeReadyJson({
      id: row.id,
      source_id: id,
      source_full_name: place!.fullName,
      source_members_url: isGroup
        ? new TextRef(['', ref.host, '/groups/', ref.namespacePath(id), '/-/group_members'])
        : new TextRef(['', ref.host, '/', ref.projectPath(id), '/-/project_members']),
      created_at: row.createdAt,
      expires_at: row.expiresAt,
      access_level: { string_value: roleTitle(row.accessLevel!), integer_value: row.accessLevel },
    });
  }

  /** The user's memberships in the group and below, in order of creation. */
  async function membershipsOf(groupId: number, userId: number): Promise<MemberRow[]> {
    const own = await directMember(ports, { source: 'group', id: groupId, above: [] }, userId);
    const below = await membershipsBelow(ports, groupId, userId);
    const current = below.filter(({ expiresAt }) => expiresAt === null || expiresAt > today(ports));
    return [...(own ? [own] : []), ...current].sort((a, b) => a.id! - b.id!);
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
      const texts = items.map((member) =>
        memberText(member, !(owners.size === 1 && owners.has(member.user.id))),
      );
      return page(await Promise.all(texts), next);
    }),

    implement(listBillableMemberships, async ({ params, group, page: wanted }) => {
      requireTopLevel(group.group);
      const memberships = await membershipsOf(group.group.id, params.user_id);
      if (memberships.length === 0) throw new Rejection('not_found', { what: 'User' });
      const { items, next } = pageOfArray(memberships, wanted, 'made', [
        { of: ({ id }) => id, direction: 'asc' },
      ]);
      return page(await Promise.all(items.map(membershipText)), next);
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
  return new Set(owners.map(({ userId }) => userId!));
}
