import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserDeleted } from '../users/user.events.ts';
import {
  PersonalAccessTokenCreated,
  PersonalAccessTokenEnded,
  PersonalAccessTokenRevoked,
} from './access-token.events.ts';

export const accessTokenLifetime = defineLifetime({
  kind: 'PersonalAccessToken',
  id: ['tokenId'],
  begins: [begins(PersonalAccessTokenCreated)],
  ends: [
    endsWith(PersonalAccessTokenRevoked, ['tokenId']),
    endsWith(PersonalAccessTokenEnded, ['tokenId']),
    endsWith(UserDeleted, ['userId'], { announcedBy: PersonalAccessTokenEnded }),
  ],
});
