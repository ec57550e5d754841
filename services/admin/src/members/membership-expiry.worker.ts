import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { endMemberships } from './membership-ends.commands.ts';

/** Appends the end of memberships whose day has come. Nobody waits for it: rights go by the date itself. */
export const membershipExpiry = (ports: ServicePorts) =>
  createSweeper(ports, 'ends of expired memberships', (signal) => {
    const where = range('expiresAt', { lte: today(ports) });
    return endMemberships(ports, { where, reason: 'expired', metadata: SYSTEM_METADATA, signal });
  });
