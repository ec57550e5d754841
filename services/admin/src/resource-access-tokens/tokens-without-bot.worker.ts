import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq, or, range } from '@forgelog/eventing/query.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { accessTokenDecider, accessTokenStream } from '../access-tokens/access-token.decider.ts';
import { accessTokens } from '../access-tokens/access-tokens.projection.ts';

const BATCH = 500;
/** By then a request has made the bot of its token, or never will. */
const GRACE_MS = 3_600_000;

/** Revokes tokens that a crash left without their bot. */
export const tokensWithoutBot = (ports: ServicePorts) =>
  createSweeper(
    ports,
    'access tokens without a bot',
    async (signal) => {
      const { clock, commands, directory, readStore } = ports;
      const before = new Date(clock().getTime() - GRACE_MS).toISOString();
      const where = and(
        or(range('projectId', { gt: 0 }), range('groupId', { gt: 0 })),
        eq('revoked', false),
        range('createdAt', { lt: before }),
      );
      for await (const tokens of inBatches(readStore, accessTokens, { where, size: BATCH }))
        for (const { id: tokenId, userId } of tokens) {
          signal.throwIfAborted();
          if (await directory.user(userId)) continue;
          const command = {
            type: 'RevokePersonalAccessToken' as const,
            ...{ tokenId, ownerId: null, impersonation: null },
          };
          await commands.handle(accessTokenDecider, accessTokenStream(tokenId), command, SYSTEM_METADATA);
        }
    },
    { everySeconds: 3600 },
  );
