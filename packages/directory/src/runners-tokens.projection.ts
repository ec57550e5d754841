import {
  type RunnersTokenEvent,
  RunnersTokenReset,
} from '@forgelog/contracts/ci/runners/runners-token.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { RunnersPlace } from '@forgelog/service-kit/instance-key.ts';
import { directoryRunnersTokens } from './collections.ts';

export const runnersPlaceKey = ({ kind, id }: RunnersPlace) => `${kind}-${id}`;

export const runnersPlaceOf = ({ projectId, groupId }: RunnersTokenEvent['data']): RunnersPlace =>
  projectId !== null
    ? { kind: 'project', id: projectId }
    : groupId !== null
      ? { kind: 'group', id: groupId }
      : { kind: 'instance', id: 0 };

export const directoryRunnersTokensProjection = defineProjection<RunnersTokenEvent>({
  name: 'directory-runners-tokens',
  collections: [directoryRunnersTokens],
  handles: [RunnersTokenReset.type],
  async project({ data }, documents) {
    documents.put(directoryRunnersTokens, { place: runnersPlaceKey(runnersPlaceOf(data)), ...data });
  },
});
