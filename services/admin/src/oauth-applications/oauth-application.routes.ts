import { randomBytes } from 'node:crypto';
import {
  createOauthApplication,
  deleteOauthApplication,
  listOauthApplications,
} from '@forgelog/contracts/admin/oauth-applications/oauth-application.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { newToken } from '../access-tokens/new-token.ts';
import { sha256 } from '../shared/sha256.ts';
import { oauthApplicationDecider, oauthApplicationStream } from './oauth-application.decider.ts';
import { newOauthApplicationJson, oauthApplicationJson } from './oauth-application.view.ts';
import { oauthApplications } from './oauth-applications.projection.ts';

export function oauthApplicationRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = oauthApplicationJson.renderer(ports);
  const newView = newOauthApplicationJson.renderer(ports);

  return [
    implement(listOauthApplications, async ({ page }) => {
      const { documents, next } = await pageOf(readStore, oauthApplications, {
        ...{ where: and(), sort: [asc('id')], page },
      });
      return { kind: 'list', items: view.list(documents), next };
    }),

    implement(createOauthApplication, async ({ params, metadata }) => {
      const { name, redirect_uri, scopes, confidential } = params;
      const secret = newToken('floas');
      const draft = {
        ...{ type: 'CreateOauthApplication' as const, name, confidential },
        clientId: randomBytes(32).toString('hex'),
        redirectUris: redirect_uri.split(/\r?\n/).flatMap((line) => line.trim() || []),
        scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
        secretSha256: sha256(secret),
      };
      // Validate before reserving an id.
      oauthApplicationDecider.decide(
        { ...draft, oauthApplicationId: 0 },
        oauthApplicationDecider.initialState,
      );
      const oauthApplicationId = await ids.next('oauthApplication');
      const stream = oauthApplicationStream(oauthApplicationId);
      await commands.handle(oauthApplicationDecider, stream, { ...draft, oauthApplicationId }, metadata, {
        mustBeNew: true,
      });
      return json(newView.one((await readStore.get(oauthApplications, oauthApplicationId))!, { secret }));
    }),

    implement(deleteOauthApplication, async ({ params: { id: oauthApplicationId }, metadata }) => {
      const command = { type: 'DeleteOauthApplication', oauthApplicationId } as const;
      const stream = oauthApplicationStream(oauthApplicationId);
      await commands.handle(oauthApplicationDecider, stream, command, metadata);
      return noContent();
    }),
  ];
}
