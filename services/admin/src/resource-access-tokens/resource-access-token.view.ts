import {
  newResourceAccessTokenView,
  resourceAccessTokenView,
} from '@forgelog/contracts/admin/resource-access-tokens/resource-access-token.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given } from '@forgelog/service-kit/view-parts.ts';
import {
  accessTokenJson,
  newAccessTokenJson,
  type TokenRequest,
} from '../access-tokens/access-token.view.ts';
import type { AccessTokenRow } from '../access-tokens/access-tokens.projection.ts';

interface ResourceTokenRequest extends TokenRequest {
  /** Access levels of bots in the place, by their user ids. */
  levels: ReadonlyMap<number, number>;
}

const levelOf = given(
  ({ userId }: AccessTokenRow, { levels }: ResourceTokenRequest) => levels.get(userId!) ?? null,
);

export const resourceAccessTokenJson = implementView(resourceAccessTokenView).from<
  AccessTokenRow,
  ResourceTokenRequest
>({ ...accessTokenJson.members, access_level: levelOf });

export const newResourceAccessTokenJson = implementView(newResourceAccessTokenView).from<
  AccessTokenRow,
  ResourceTokenRequest & { token: string }
>({ ...newAccessTokenJson.members, access_level: levelOf });
