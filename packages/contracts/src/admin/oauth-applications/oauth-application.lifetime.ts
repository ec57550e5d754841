import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { OauthApplicationCreated, OauthApplicationDeleted } from './oauth-application.events.ts';

export const oauthApplicationLifetime = defineLifetime({
  kind: 'OauthApplication',
  id: ['oauthApplicationId'],
  begins: [begins(OauthApplicationCreated)],
  ends: [endsWith(OauthApplicationDeleted, ['oauthApplicationId'])],
});
