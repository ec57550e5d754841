import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_CLIENT_KEYS } from '@forgelog/contracts/tracker/error-tracking/client-key.api.ts';
import type { ClientKeyEvent } from '@forgelog/contracts/tracker/error-tracking/client-key.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface ClientKeyCommand {
  type: 'CreateClientKey' | 'DeleteClientKey';
  projectId: number;
  clientKeyId: number;
}

export const clientKeysStream = (projectId: number) => `errorTrackingClientKeys-${projectId}`;

/** The state is the ids of the keys of a project. */
export const clientKeyDecider: Decider<readonly number[], ClientKeyCommand, ClientKeyEvent> = {
  initialState: [],

  decide({ type, projectId, clientKeyId: errorTrackingClientKeyId }, keys) {
    const data = { errorTrackingClientKeyId, projectId };
    if (type === 'DeleteClientKey') {
      if (!keys.includes(errorTrackingClientKeyId)) throw new Rejection('record_not_found');
      return [{ type: 'ErrorTrackingClientKeyDeleted', data }];
    }
    if (keys.length >= MOST_CLIENT_KEYS)
      throw new Rejection('bad_request', {
        reason: `the project has ${MOST_CLIENT_KEYS} client keys already, delete one first`,
      });
    return [{ type: 'ErrorTrackingClientKeyCreated', data }];
  },

  evolve(keys, { type, data: { errorTrackingClientKeyId: id } }) {
    return type === 'ErrorTrackingClientKeyCreated' ? [...keys, id] : keys.filter((key) => key !== id);
  },
};
