import type { groupShareView } from '@forgelog/contracts/views.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { z } from 'zod';
import type { Share } from './shares.ts';

/** Groups that a project or group is shared with, as far as the caller sees them. */
export async function shownShares(
  shares: readonly Share[],
  authorizer: Authorizer,
  principal: Principal | null,
): Promise<z.output<typeof groupShareView>[]> {
  const shown = [];
  for (const { groupId, accessLevel, expiresAt } of shares) {
    const seen = await authorizer.group(String(groupId), principal);
    if (!seen) continue;
    const { id: group_id, name: group_name, fullPath: group_full_path } = seen.group;
    shown.push({
      ...{ group_id, group_name, group_full_path },
      ...{ group_access_level: accessLevel, expires_at: expiresAt },
    });
  }
  return shown;
}
