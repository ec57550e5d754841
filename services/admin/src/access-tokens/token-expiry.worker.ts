import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { endTokens } from './token-ends.commands.ts';

export const tokenExpiry = (ports: ServicePorts) =>
  createSweeper(ports, 'ends of expired tokens', (signal) => {
    const where = range('expiresAt', { lte: today(ports) });
    return endTokens(ports, { where, reason: 'expired', metadata: SYSTEM_METADATA, signal });
  });
