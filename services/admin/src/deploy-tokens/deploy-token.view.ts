import {
  deployTokenView,
  newDeployTokenView,
} from '@forgelog/contracts/admin/deploy-tokens/deploy-token.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import type { DeployTokenRow } from './deploy-tokens.projection.ts';

interface TokenRequest {
  /** In ISO 8601 and UTC. */
  now: string;
}

export const deployTokenJson = implementView(deployTokenView).from<DeployTokenRow, TokenRequest>({
  id: 'id',
  name: 'name',
  username: 'username',
  expires_at: 'expiresAt',
  scopes: 'scopes',
  revoked: false,
  expired: derived(
    ['expiresAt'],
    (expiresAt: string | null, { now }: TokenRequest) => expiresAt !== null && expiresAt <= now,
  ),
});

export const newDeployTokenJson = implementView(newDeployTokenView).from<
  DeployTokenRow,
  TokenRequest & { token: string }
>({
  ...deployTokenJson.members,
  token: given((_: DeployTokenRow, { token }: { token: string }) => token),
});
