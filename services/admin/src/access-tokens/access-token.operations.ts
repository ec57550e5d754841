import { recordTokenUses } from '@forgelog/contracts/admin/access-tokens/access-token.operations.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { accessTokens } from './access-tokens.projection.ts';
import { tokenUsesDecider, tokenUsesStream } from './token-uses.decider.ts';

const MINUTE_MS = 60_000;

/** Several gateways see the same tokens, and a restarted one has forgotten: what was recorded just before is left out. */
export function accessTokenOperations(ports: ServicePorts): OperationImplementation[] {
  const { readStore, commands, configuration } = ports;
  const pauseMs = configuration.TOKEN_USE_MINUTES * MINUTE_MS;

  async function isNew({ tokenId, usedAt }: { tokenId: number; usedAt: string }): Promise<boolean> {
    const row = await readStore.get(accessTokens, tokenId);
    if (!row) return false;
    return row.lastUsedAt === null || Date.parse(usedAt) - Date.parse(row.lastUsedAt) >= pauseMs;
  }

  return [
    implementOperation(recordTokenUses, async ({ request, operationId, metadata }) => {
      const wanted = await Promise.all(request.uses.map(isNew));
      const uses = request.uses.filter((_, index) => wanted[index]);
      const day = today(ports);
      const command = { type: 'RecordTokenUses', day, uses } as const;
      await commands.handle(tokenUsesDecider, tokenUsesStream(day), command, metadata, { operationId });
      return {};
    }),
  ];
}
