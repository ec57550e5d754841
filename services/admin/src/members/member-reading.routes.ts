import {
  getAnyGroupMember,
  getGroupMember,
  listAllGroupMembers,
  listGroupMembers,
} from '@forgelog/contracts/admin/members/group-member.api.ts';
import {
  getAnyProjectMember,
  getProjectMember,
  listAllProjectMembers,
  listProjectMembers,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { listProjectUsers } from '@forgelog/contracts/admin/members/project-user.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  allMembers,
  answerMember,
  anyMember,
  directMember,
  directMembers,
  listedUsers,
  placeOf,
} from './member.query.ts';
import type { MemberRow } from './members.collection.ts';

export function memberReadingRoutes(ports: ServicePorts): Implementation[] {
  const groupPlace = (id: number) => placeOf(ports, 'group', id);
  const projectPlace = (id: number) => placeOf(ports, 'project', id);
  function answer(row: MemberRow | undefined) {
    if (!row) throw new Rejection('record_not_found');
    return answerMember(row, ports);
  }

  return [
    implement(listGroupMembers, async ({ params, group, page }) =>
      directMembers(ports, await groupPlace(group.group.id), params, page),
    ),
    implement(listProjectMembers, async ({ params, project, page }) =>
      directMembers(ports, await projectPlace(project.project.id), params, page),
    ),
    implement(listAllGroupMembers, async ({ params, group, page }) =>
      allMembers(ports, await groupPlace(group.group.id), params, page),
    ),
    implement(listAllProjectMembers, async ({ params, project, page }) =>
      allMembers(ports, await projectPlace(project.project.id), params, page),
    ),
    implement(listProjectUsers, async ({ params, project, page }) => {
      const { search: query, skip_users } = params;
      const place = await projectPlace(project.project.id);
      return allMembers(ports, place, { query, skip_users }, page, listedUsers);
    }),
    implement(getGroupMember, async ({ params, group }) =>
      answer(await directMember(ports, await groupPlace(group.group.id), params.user_id)),
    ),
    implement(getProjectMember, async ({ params, project }) =>
      answer(await directMember(ports, await projectPlace(project.project.id), params.user_id)),
    ),
    implement(getAnyGroupMember, async ({ params, group }) =>
      answer(await anyMember(ports, await groupPlace(group.group.id), params.user_id)),
    ),
    implement(getAnyProjectMember, async ({ params, project }) =>
      answer(await anyMember(ports, await projectPlace(project.project.id), params.user_id)),
    ),
  ];
}
