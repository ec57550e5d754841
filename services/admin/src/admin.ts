import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { accessTokenSlice } from './access-tokens/access-token.slice.ts';
import { auditEventSlice } from './audit-events/audit-event.slice.ts';
import { avatarSlice } from './avatars/avatar.slice.ts';
import { groupSlice } from './groups/group.slice.ts';
import { memberSlice } from './members/member.slice.ts';
import { userSlice } from './users/user.slice.ts';

export const createAdmin = (ports: ServicePorts): Service =>
  composeService('admin', ports, [
    userSlice,
    accessTokenSlice,
    avatarSlice,
    groupSlice,
    memberSlice,
    auditEventSlice,
  ]);
