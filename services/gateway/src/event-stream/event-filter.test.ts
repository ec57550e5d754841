import { TrackerRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { expect, test } from 'vitest';
import { eventFilter, typesCarried } from './event-filter.ts';

test('what ended with a project is found by the project, in the form of version 1 too', async () => {
  const ended = (schemaVersion: number, data: object): RecordedEvent => ({
    ...{ id: '1', type: TrackerRecordsEnded.type, schemaVersion, data, metadata: SYSTEM_METADATA },
    ...{ time: '2026-11-22T12:00:00.000Z', stream: 'trackerEnds-1', revision: 0, position: '1' },
  });
  const counts = { Issue: 1 };
  const events = [
    ended(1, { ownerKind: 'Project', ownerId: 7, counts }),
    ended(1, { ownerKind: 'User', ownerId: 7, counts }),
    ended(2, { ownerKind: 'Issue', ownerId: 3, projectId: 7, counts }),
    ended(2, { ownerKind: 'User', ownerId: 7, projectId: null, counts }),
    ended(2, { ownerKind: 'Project', ownerId: 8, projectId: 8, counts }),
  ];
  const carried = typesCarried(createCatalogue([TrackerRecordsEnded]), () => true);
  const ports = { directory: {} as Directory, carried };
  expect(await eventFilter(ports, { project_id: 7 }).select(events)).toEqual([events[0], events[2]]);
});
