import {
  getAuditEvent,
  getGroupAuditEvent,
  getProjectAuditEvent,
  listAuditEvents,
  listGroupAuditEvents,
  listProjectAuditEvents,
} from '@forgelog/contracts/admin/audit-events/audit-event.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, desc, eq, or, range } from '@forgelog/eventing/query.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import { listPage, type PageRequest } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { auditEventJson } from './audit-event.view.ts';
import { auditEvents } from './audit-events.projection.ts';

interface Range {
  created_after: string | undefined;
  created_before: string | undefined;
}

export function auditEventRoutes(ports: ServicePorts): Implementation[] {
  const { readStore } = ports;
  const view = auditEventJson.renderer(ports);

  /** Newest first; the range includes both ends. */
  const list = (where: readonly Condition[], { created_after, created_before }: Range, page: PageRequest) =>
    listPage(readStore, auditEvents, {
      where: and(
        ...where,
        ...(created_after === undefined ? [] : [range('createdAt', { gte: created_after })]),
        ...(created_before === undefined ? [] : [range('createdAt', { lte: created_before })]),
      ),
      sort: [desc('id')],
      page,
      view,
    });

  async function one(id: number, where: readonly Condition[]): Promise<Answer> {
    const [found] = await readStore.find(auditEvents, {
      where: and(eq('id', id), ...where),
      limit: 1,
    });
    if (!found) throw new Rejection('record_not_found');
    return json(view.one(found));
  }

  /** Callers without the required role see only their own actions, including those through sudo. */
  const own = (level: number, seesAll: number, userId: number): Condition[] =>
    level >= seesAll ? [] : [or(eq('authorId', userId), eq('impersonatorId', userId))];

  return [
    implement(listAuditEvents, async ({ params, page }) => {
      const { entity_type: type, entity_id: id } = params;
      if (id !== undefined && type === undefined)
        throw new Rejection('invalid_parameters', { problems: ['entity_type is missing'] });
      const where = [
        ...(type === undefined ? [] : [eq('entityType', type)]),
        ...(id === undefined ? [] : [eq('entityId', id)]),
      ];
      return list(where, params, page);
    }),

    implement(getAuditEvent, async ({ params }) => one(params.id, [])),

    implement(listGroupAuditEvents, async ({ params, group, caller, page }) =>
      list(
        [...entity('Group', group.group.id), ...own(group.level, AccessLevel.owner, caller.userId)],
        params,
        page,
      ),
    ),

    implement(getGroupAuditEvent, async ({ params, group }) =>
      one(params.audit_event_id, entity('Group', group.group.id)),
    ),

    implement(listProjectAuditEvents, async ({ params, project, caller, page }) =>
      list(
        [
          ...entity('Project', project.project.id),
          ...own(project.level, AccessLevel.maintainer, caller.userId),
        ],
        params,
        page,
      ),
    ),

    implement(getProjectAuditEvent, async ({ params, project }) =>
      one(params.audit_event_id, entity('Project', project.project.id)),
    ),
  ];
}

const entity = (type: 'Group' | 'Project', id: number): Condition[] => [
  eq('entityType', type),
  eq('entityId', id),
];
