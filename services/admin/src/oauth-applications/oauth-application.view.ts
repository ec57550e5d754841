import {
  newOauthApplicationView,
  oauthApplicationView,
} from '@forgelog/contracts/admin/oauth-applications/oauth-application.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import type { OauthApplicationRow } from './oauth-applications.projection.ts';

export const oauthApplicationJson = implementView(oauthApplicationView).from<OauthApplicationRow>({
  id: 'id',
  application_id: 'clientId',
  application_name: 'name',
  callback_url: derived(['redirectUris'], (uris: readonly string[]) => uris.join('\n')),
  confidential: 'confidential',
});

export const newOauthApplicationJson = implementView(newOauthApplicationView).from<
  OauthApplicationRow,
  { secret: string }
>({
  ...oauthApplicationJson.members,
  secret: given((_: OauthApplicationRow, { secret }: { secret: string }) => secret),
});
