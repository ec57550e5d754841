import {
  accessTokenView,
  newAccessTokenView,
} from '@forgelog/contracts/admin/access-tokens/access-token.api.ts';
import {
  impersonationTokenView,
  newImpersonationTokenView,
} from '@forgelog/contracts/admin/access-tokens/impersonation-token.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import type { AccessTokenRow } from './access-tokens.projection.ts';

export interface TokenRequest {
  /** `YYYY-MM-DD` */
  today: string;
}

export const accessTokenJson = implementView(accessTokenView).from<AccessTokenRow, TokenRequest>({
  id: 'id',
  name: 'name',
  revoked: 'revoked',
  created_at: 'createdAt',
  scopes: 'scopes',
  user_id: 'userId',
  expires_at: 'expiresAt',
  last_used_at: 'lastUsedAt',
  active: derived(['revoked', 'expiresAt'], isActive),
});

export const newAccessTokenJson = implementView(newAccessTokenView).from<
  AccessTokenRow,
  TokenRequest & { token: string }
>({
  ...accessTokenJson.members,
  token: given((_: AccessTokenRow, { token }: { token: string }) => token),
});

export const impersonationTokenJson = implementView(impersonationTokenView).from<
  AccessTokenRow,
  TokenRequest
>({
  ...accessTokenJson.members,
  impersonation: true,
});

export const newImpersonationTokenJson = implementView(newImpersonationTokenView).from<
  AccessTokenRow,
  TokenRequest & { token: string }
>({ ...newAccessTokenJson.members, impersonation: true });

function isActive(revoked: boolean, expiresAt: string | null, { today }: TokenRequest): boolean {
  return !revoked && (expiresAt === null || expiresAt > today);
}
