import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { endAuthorizations } from './authorization-ends.commands.ts';

export const authorizationExpiry = (ports: ServicePorts) =>
  createSweeper(ports, 'ends of unused OAuth authorizations', (signal) => {
    const where = range('endsAt', { lte: ports.clock().toISOString() });
    return endAuthorizations(ports, { where, reason: 'expired', metadata: SYSTEM_METADATA, signal });
  });
