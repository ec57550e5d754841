import type { Principal } from '@forgelog/service-kit/principal.ts';

/** A user with a token for everything. */
export const samplePrincipal = (userId: number): Principal => ({
  ...{ userId, username: `user${userId}`, name: 'A user', email: 'user@example.com' },
  ...{ isAdmin: false, external: false, scopes: ['api'], onBehalfBy: null },
  credential: { kind: 'personal_access_token', id: 1 },
});
