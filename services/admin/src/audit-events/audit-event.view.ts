import { auditEventView } from '@forgelog/contracts/admin/audit-events/audit-event.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import type { AuditEventRow } from './audit-events.projection.ts';
import type { AuditDetails } from './audit-rule.ts';

export const auditEventJson = implementView(auditEventView).from<AuditEventRow>({
  id: 'id',
  author_id: 'authorId',
  entity_id: 'entityId',
  entity_type: 'entityType',
  details: derived(['details'], (details: unknown) => details as AuditDetails),
  created_at: 'createdAt',
});
