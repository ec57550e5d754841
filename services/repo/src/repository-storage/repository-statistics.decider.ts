import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RepositoryMeasured } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type Measured = EventOf<typeof RepositoryMeasured>['data'];

/** The last measurement. An equal one is no event. */
export const statisticsDecider: Decider<
  Measured | null,
  { type: 'RecordMeasure'; measured: Measured },
  EventOf<typeof RepositoryMeasured>
> = {
  initialState: null,
  decide: ({ measured }, last) =>
    JSON.stringify(measured) === JSON.stringify(last) ? [] : [{ type: 'RepositoryMeasured', data: measured }],
  evolve: (_, { data }) => data,
};

export const statisticsStream = (projectId: number): string => `repositoryStatistics-${projectId}`;
