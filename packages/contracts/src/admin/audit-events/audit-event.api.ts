import { z } from 'zod';
import { administrator, defineEndpoint, group, project } from '../../endpoint.ts';
import { datetime, described, int, oneOf, required } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './audit-event.examples.json' with { type: 'json' };

/** Audit event [L93]. */
export const auditEventView = defineView(
  'AuditEvent',
  {
    id: z.int(),
    /** -1 for the system itself. */
    author_id: z.int(),
    entity_id: z.int(),
    entity_type: z.enum(['User', 'Group', 'Project']),
    details: defineView('AuditEventDetails', {
      author_name: z.string(),
      target_id: z.int(),
      target_type: z.string(),
      target_details: z.string(),
      ip_address: z.string().nullable(),
      entity_path: z.string(),
      custom_message: z.string(),
      add: z.string().optional(),
      change: z.string().optional(),
      from: z.string().optional(),
      to: z.string().optional(),
      /** Name of the administrator who acted as the author through sudo. */
      impersonated_by: z.string().optional(),
    }),
    created_at: datetimeView,
  },
  examples.AuditEvent,
);

const range = {
  created_after: described(datetime(), 'Only events at or after this time'),
  created_before: described(datetime(), 'Only events at or before this time'),
};
const common = { service: 'admin', method: 'GET', tier: 'premium' } as const;
const list = { pagination: 'offset', response: z.array(auditEventView) } as const;

export const listAuditEvents = defineEndpoint({
  ...common,
  ...list,
  id: 'audit-event-list',
  path: '/audit_events',
  summary: 'Audit events of the instance, the newest first',
  spec: 'api-v4 L326',
  access: administrator,
  params: {
    ...range,
    entity_type: described(oneOf('User', 'Group', 'Project'), 'Only events about entities of this kind'),
    entity_id: described(int(), 'Only events about the entity of this id; needs `entity_type`'),
  },
});

export const getAuditEvent = defineEndpoint({
  ...common,
  id: 'audit-event-get',
  path: '/audit_events/:id',
  summary: 'One audit event of the instance',
  spec: 'api-v4 L327',
  access: administrator,
  params: { id: described(required(int()), 'Id of the audit event') },
  response: auditEventView,
});

export const listGroupAuditEvents = defineEndpoint({
  ...common,
  ...list,
  id: 'group-audit-event-list',
  path: '/groups/:id/audit_events',
  summary: 'Audit events of a group: all to its owners, their own to developers and maintainers',
  spec: 'api-v4 L328',
  access: group('developer'),
  params: { id: groupId, ...range },
});

export const getGroupAuditEvent = defineEndpoint({
  ...common,
  id: 'group-audit-event-get',
  path: '/groups/:id/audit_events/:audit_event_id',
  summary: 'One audit event of a group',
  spec: 'api-v4 L329',
  access: group('owner'),
  params: { id: groupId, audit_event_id: described(required(int()), 'Id of the audit event') },
  response: auditEventView,
});

export const listProjectAuditEvents = defineEndpoint({
  ...common,
  ...list,
  id: 'project-audit-event-list',
  path: '/projects/:id/audit_events',
  summary: 'Audit events of a project: all to its maintainers, their own to developers',
  spec: 'api-v4 L330',
  access: project('developer'),
  params: { id: projectId, ...range },
});

export const getProjectAuditEvent = defineEndpoint({
  ...common,
  id: 'project-audit-event-get',
  path: '/projects/:id/audit_events/:audit_event_id',
  summary: 'One audit event of a project',
  spec: 'api-v4 L331',
  access: project('maintainer'),
  params: { id: projectId, audit_event_id: described(required(int()), 'Id of the audit event') },
  response: auditEventView,
});

export const auditEventEndpoints = [
  listAuditEvents,
  getAuditEvent,
  listGroupAuditEvents,
  getGroupAuditEvent,
  listProjectAuditEvents,
  getProjectAuditEvent,
];
