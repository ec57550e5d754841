import { listUserMemberships } from '@forgelog/contracts/admin/members/user-membership.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { lasting } from './member.query.ts';
import { type MemberRow, members } from './members.collection.ts';
import { userMembershipJson } from './user-membership.view.ts';

export function userMembershipRoutes(ports: ServicePorts): Implementation[] {
  const { directory, readStore } = ports;
  const view = userMembershipJson.renderer(ports);

  async function named(row: MemberRow) {
    const { source, sourceId } = row;
    const place = await (source === 'group' ? directory.namespace(sourceId) : directory.project(sourceId));
    return { ...row, sourceName: place?.name ?? '' };
  }

  return [
    implement(listUserMemberships, async ({ params: { user_id: userId, type }, page }) => {
      const user = await directory.user(userId);
      if (!user || user.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
      const kept = type === undefined ? [] : [eq('source', type === 'Project' ? 'project' : 'group')];
      const where = and(eq('userId', userId), lasting(today(ports)), ...kept);
      const { documents, next } = await pageOf(readStore, members, { where, sort: [asc('id')], page });
      return { kind: 'list', items: view.list(await Promise.all(documents.map(named))), next };
    }),
  ];
}
