import {
  singleErrorView,
  trackedErrorView,
} from '@forgelog/contracts/tracker/error-tracking/tracked-error.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import type { Occurrence } from './reported-error.rules.ts';
import type { TrackedErrorRow } from './tracked-errors.projection.ts';

export const trackedErrorJson = implementView(trackedErrorView).from<TrackedErrorRow>({
  id: 'id',
  project_id: 'projectId',
  title: 'title',
  type: 'errorType',
  message: 'message',
  culprit: 'culprit',
  level: 'level',
  platform: 'platform',
  environment: 'environment',
  release: 'release',
  fingerprint: 'fingerprint',
  status: 'status',
  count: 'occurrences',
  first_seen: 'firstSeenAt',
  last_seen: 'lastSeenAt',
});

export const singleErrorJson = implementView(singleErrorView).from<TrackedErrorRow>({
  ...trackedErrorJson.members,
  occurrence: derived(['occurrence'], (occurrence: unknown) => occurrenceJson(occurrence as Occurrence)),
});

const occurrenceJson = ({ reportId, seenAt, exceptions, request, tags }: Occurrence) => ({
  event_id: reportId,
  seen_at: seenAt,
  exceptions: exceptions.map(({ type, value, frames }) => ({
    type,
    value,
    frames: frames.map(({ isOwn, ...frame }) => ({ ...frame, in_app: isOwn })),
  })),
  request,
  tags,
});
