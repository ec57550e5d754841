import type { DeployTokenEvent } from '@forgelog/contracts/admin/deploy-tokens/deploy-token.events.ts';
import type { DeployTokenScope } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** One of both ids is there. */
export interface DeployTokenPlace {
  projectId: number | null;
  groupId: number | null;
}

export type DeployTokenState = { status: 'absent' | 'deleted' } | ({ status: 'issued' } & DeployTokenPlace);

export type DeployTokenCommand = { deployTokenId: number } & DeployTokenPlace &
  (
    | {
        type: 'CreateDeployToken';
        name: string;
        /** Null for the one that names the id. */
        username: string | null;
        scopes: readonly DeployTokenScope[];
        /** In ISO 8601 and UTC; null for never. */
        expiresAt: string | null;
        /** Hexadecimal SHA-256; the token itself is shown only to its maker. */
        tokenSha256: string;
      }
    | { type: 'DeleteDeployToken' }
  );

const USERNAME = /^[a-zA-Z0-9.+_-]+$/;
/** A name of callers who present the token of a job or of a user. */
const OF_JOBS = 'gitlab-ci-token';

export const deployTokenStream = (id: number) => `deployToken-${id}`;

export const deployTokenDecider: Decider<DeployTokenState, DeployTokenCommand, DeployTokenEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { deployTokenId, projectId, groupId } = command;
    const place = { projectId, groupId };
    switch (command.type) {
      case 'CreateDeployToken': {
        if (state.status !== 'absent') throw new Rejection('conflict', {});
        requireValid(command);
        const { name, scopes, expiresAt, tokenSha256 } = command;
        const username = command.username ?? `gitlab+deploy-token-${deployTokenId}`;
        const token = { name, username, scopes: [...new Set(scopes)], expiresAt, tokenSha256 };
        return [{ type: 'DeployTokenCreated', data: { deployTokenId, ...place, ...token } }];
      }
      case 'DeleteDeployToken': {
        // The id in the path may be of another place.
        const isMeant =
          state.status === 'issued' && state.projectId === projectId && state.groupId === groupId;
        if (!isMeant) throw new Rejection('record_not_found');
        return [{ type: 'DeployTokenDeleted', data: { deployTokenId, ...place } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(_, event) {
    switch (event.type) {
      case 'DeployTokenCreated': {
        const { projectId, groupId } = event.data;
        return { status: 'issued', projectId, groupId };
      }
      case 'DeployTokenDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

/** Reports all problems at once. */
function requireValid({
  name,
  username,
  scopes,
}: Extract<DeployTokenCommand, { type: 'CreateDeployToken' }>): void {
  const fields: Record<string, string[]> = {};
  if (name.trim() === '') fields.name = ["can't be blank"];
  if (scopes.length === 0) fields.scopes = ["can't be blank"];
  if (username !== null && !USERNAME.test(username))
    fields.username = ["can contain only letters, digits, '_', '-', '+', and '.'"];
  if (username === OF_JOBS) fields.username = ['is reserved for the tokens of jobs'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
