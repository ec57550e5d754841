import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { accessTokens } from './access-tokens/access-token.slice.ts';
import { auditEvents } from './audit-events/audit-event.slice.ts';
import { groups } from './groups/group.slice.ts';
import { members } from './members/member.slice.ts';
import { users } from './users/user.slice.ts';

export const createAdmin = (ports: ServicePorts): Service =>
  composeService('admin', ports, [users, accessTokens, groups, members, auditEvents]);
