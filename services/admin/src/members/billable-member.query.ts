import type { BILLABLE_SORTS } from '@forgelog/contracts/admin/billable-members/billable-member.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { today } from '@forgelog/directory/calendar.ts';
import { directoryNamespaces, directoryProjects } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq, fold, has, oneOf, or, range } from '@forgelog/eventing/query.ts';
import type { ArrayOrder } from '@forgelog/service-kit/pagination.ts';
import { lasting } from './member.query.ts';
import { type MemberRow, type MemberUser, members, memberUsers } from './members.collection.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'clock'>;
type BillableSort = (typeof BILLABLE_SORTS)[number];

/** A user who takes a seat, with their memberships in the hierarchy merged. */
export interface BillableMember {
  user: MemberUser;
  membershipType: 'group_member' | 'project_member';
  accessLevel: number;
  /** Creation times of the oldest and the newest membership in the hierarchy. */
  firstJoined: string;
  lastJoined: string;
}

const MANY = 1_000_000;

/**
 * All users who take a seat in a top-level group: members (guest or higher) of the group, its subgroups and projects,
 * except blocked users and bots. Read as a whole, because sorting needs merged memberships.
 */
export async function billableMembers(ports: Ports, groupId: number): Promise<BillableMember[]> {
  const { readStore } = ports;
  const below = { where: has('ancestors', groupId), limit: MANY, select: ['id'] } as const;
  const groups = await readStore.find(directoryNamespaces, below);
  const projects = await readStore.find(directoryProjects, below);
  const rows = await readStore.find(members, {
    where: and(
      or(
        and(
          eq('source', 'group'),
          oneOf(
            'sourceId',
            groups.map(({ id }) => id),
          ),
        ),
        and(
          eq('source', 'project'),
          oneOf(
            'sourceId',
            projects.map(({ id }) => id),
          ),
        ),
      ),
      range('accessLevel', { gte: AccessLevel.guest }),
      lasting(today(ports)),
    ),
    limit: MANY,
  });
  const byUser = Map.groupBy(rows, (row) => row.userId);
  const users = await readStore.find(memberUsers, {
    where: and(oneOf('id', [...byUser.keys()]), eq('bot', false), eq('blocked', false)),
    limit: byUser.size,
  });
  return users.map((user) => summed(user, byUser.get(user.id)!));
}

function summed(user: MemberUser, memberships: readonly MemberRow[]): BillableMember {
  const joined = memberships.map(({ createdAt }) => createdAt).sort();
  return {
    user,
    membershipType: memberships.some(({ source }) => source === 'group') ? 'group_member' : 'project_member',
    accessLevel: Math.max(...memberships.map(({ accessLevel }) => accessLevel)),
    firstJoined: joined[0]!,
    lastJoined: joined.at(-1)!,
  };
}

/** A search matches a part of name, username or public email, or the exact private address. */
export function isFound({ user }: BillableMember, search: string): boolean {
  const wanted = fold(search);
  const parts = [user.name, user.username, user.publicEmail];
  return (
    parts.some((part) => part !== null && fold(part).includes(wanted)) || fold(user.email ?? '') === wanted
  );
}

/** Defaults to name; ties sort by id. Sign-ins and activity are not recorded, so they tie. */
export function orderOf(sort: BillableSort = 'name_asc'): ArrayOrder<BillableMember> {
  const [of, direction] = ORDERS[sort];
  return [
    { of, direction },
    { of: ({ user }) => user.id, direction: 'asc' },
  ];
}

type Order = readonly [(member: BillableMember) => string | number | null, 'asc' | 'desc'];

const name = ({ user }: BillableMember) => fold(user.name ?? '');
const level = ({ accessLevel }: BillableMember) => accessLevel;
const first = ({ firstJoined }: BillableMember) => firstJoined;
const last = ({ lastJoined }: BillableMember) => lastJoined;
const unknown = () => null;

const ORDERS: Readonly<Record<BillableSort, Order>> = {
  access_level_asc: [level, 'asc'],
  access_level_desc: [level, 'desc'],
  last_joined: [last, 'desc'],
  name_asc: [name, 'asc'],
  name_desc: [name, 'desc'],
  oldest_joined: [first, 'asc'],
  oldest_sign_in: [unknown, 'asc'],
  recent_sign_in: [unknown, 'desc'],
  last_activity_on_asc: [unknown, 'asc'],
  last_activity_on_desc: [unknown, 'desc'],
};
