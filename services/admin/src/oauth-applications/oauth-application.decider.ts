import type { OauthApplicationEvent } from '@forgelog/contracts/admin/oauth-applications/oauth-application.events.ts';
import { SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { redirectProblem } from './redirect-uri.rules.ts';

export type OauthApplicationState = { status: 'absent' | 'deleted' } | { status: 'registered'; name: string };

export type OauthApplicationCommand = { oauthApplicationId: number } & (
  | {
      type: 'CreateOauthApplication';
      name: string;
      clientId: string;
      redirectUris: readonly string[];
      scopes: readonly string[];
      confidential: boolean;
      /** Hexadecimal SHA-256; the secret itself is shown only to its maker. */
      secretSha256: string;
    }
  | { type: 'DeleteOauthApplication' }
);

type Create = Extract<OauthApplicationCommand, { type: 'CreateOauthApplication' }>;

const MOST_URIS = 20;

export const oauthApplicationStream = (id: number) => `oauthApplication-${id}`;

export const oauthApplicationDecider: Decider<
  OauthApplicationState,
  OauthApplicationCommand,
  OauthApplicationEvent
> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { oauthApplicationId } = command;
    switch (command.type) {
      case 'CreateOauthApplication': {
        if (state.status !== 'absent') throw new Rejection('conflict', {});
        requireValid(command);
        const { name, clientId, redirectUris, confidential, secretSha256 } = command;
        const scopes = [...new Set(command.scopes as readonly Scope[])];
        const application = { name, clientId, redirectUris: [...redirectUris], scopes, confidential };
        return [
          {
            type: 'OauthApplicationCreated',
            data: { oauthApplicationId, ...application, secretSha256 },
          },
        ];
      }
      case 'DeleteOauthApplication':
        if (state.status !== 'registered') throw new Rejection('not_found', { what: 'Application' });
        return [{ type: 'OauthApplicationDeleted', data: { oauthApplicationId, name: state.name } }];
      default:
        return command satisfies never;
    }
  },

  evolve(_, event) {
    switch (event.type) {
      case 'OauthApplicationCreated':
        return { status: 'registered', name: event.data.name };
      case 'OauthApplicationDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

/** Reports all problems at once. */
function requireValid({ name, redirectUris, scopes }: Create): void {
  const fields: Record<string, string[]> = {};
  if (name.trim() === '') fields.name = ["can't be blank"];
  const problems = [...new Set(redirectUris.flatMap((uri) => redirectProblem(uri) ?? []))];
  if (redirectUris.length === 0) problems.push("can't be blank");
  if (redirectUris.length > MOST_URIS) problems.push(`can't be more than ${MOST_URIS}`);
  if (problems.length > 0) fields.redirect_uri = problems;
  if (scopes.length === 0) fields.scopes = ["can't be blank"];
  else if (!scopes.every((scope) => SCOPES.some((known) => known === scope)))
    fields.scopes = [`must be some of ${SCOPES.join(', ')}`];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
