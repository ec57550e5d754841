import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_CLIENT_KEYS } from '@forgelog/contracts/tracker/error-tracking/client-key.api.ts';
import {
  collectEnvelope,
  collectStored,
  MAX_REPORT_BYTES,
} from '@forgelog/contracts/tracker/error-tracking/collector.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type Answer, value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { ALL_CODINGS, decodedBody } from '@forgelog/service-kit/content-encoding.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { createClientKeys } from './client-keys.ts';
import { errorTracking } from './error-tracking.projection.ts';
import { occurrenceCountsFor } from './occurrence-counts.ts';
import { createReportLimit } from './report-limit.ts';
import { type ReportedError, reportedError } from './reported-error.rules.ts';
import { eventInEnvelope, eventInReport } from './sentry-envelope.ts';
import { trackedErrorDecider, trackedErrorStream } from './tracked-error.decider.ts';
import { type ClientKeyRow, clientKeyRows, trackedErrors } from './tracked-errors.projection.ts';

type CollectorRequest = ApiRequest<typeof collectEnvelope>;

/** Errors of a project; more are refused until somebody deletes some. */
export const MOST_TRACKED_ERRORS = 5_000;
/** A body that comes drop by drop is not waited for. */
const READING_MS = 30_000;

/** `Sentry sentry_version=7, sentry_key=…`; the key may come as a parameter too. */
const KEY_IN_HEADER = /\bsentry_key=(\w{1,255})/;

export function collectorRoutes(ports: ServicePorts): Implementation[] {
  const { clock, commands, directory, ids, readStore } = ports;
  const clientKeys = createClientKeys(ports);
  const limit = createReportLimit(() => performance.now());
  const counts = occurrenceCountsFor(ports);

  /** @throws Rejection 404 alike for a wrong key, a project that is not there, and one that takes no errors */
  async function clientKeyOf({ params, headers }: CollectorRequest): Promise<ClientKeyRow> {
    const { project_id: projectId, sentry_key: given } = params;
    const header = headers['x-sentry-auth'];
    const key = given ?? (typeof header === 'string' ? KEY_IN_HEADER.exec(header)?.[1] : undefined);
    if (key === undefined) throw new Rejection('nothing_found');
    const where = eq('projectId', projectId);
    const keys = await readStore.find(clientKeyRows, { where, limit: MOST_CLIENT_KEYS });
    const found = keys.find((row) => clientKeys.isRight(row, key));
    const settings = found && (await readStore.get(errorTracking, projectId));
    if (!settings?.active || !settings.integrated) throw new Rejection('nothing_found');
    const project = await directory.project(projectId);
    const isServed =
      project !== undefined &&
      (project.features as Record<string, string>).operations !== 'disabled' &&
      !(await directory.marked()).projects.has(projectId);
    if (!isServed) throw new Rejection('nothing_found');
    return found!;
  }

  async function bodyOf({ body }: CollectorRequest): Promise<Buffer> {
    const late = setTimeout(() => body.destroy(new Error('the report took too long')), READING_MS).unref();
    try {
      const unpacked = decodedBody(body, MAX_REPORT_BYTES, ALL_CODINGS);
      return await collect(unpacked.iterator({ destroyOnReturn: false }), MAX_REPORT_BYTES);
    } finally {
      clearTimeout(late);
    }
  }

  const collecting =
    (eventIn: (body: Buffer) => unknown) =>
    async (request: CollectorRequest): Promise<Answer> => {
      const { id, projectId } = await clientKeyOf(request);
      limit.take(id);
      const event = eventIn(await bodyOf(request));
      // Measurements, sessions and the like are taken, so that SDKs have nothing to say about them.
      if (event === undefined) return value({});
      const reported = reportedError(event, clock().toISOString());
      if (reported === undefined)
        throw new Rejection('malformed_body', { reason: 'The event has neither an exception nor a message' });
      await keep(projectId, reported, request.origin.requestId);
      const { reportId } = reported.occurrence;
      return value(reportId === '' ? {} : { id: reportId });
    };

  async function keep(projectId: number, reported: ReportedError, requestId: string): Promise<void> {
    const { fingerprint, facts, occurrence } = reported;
    const where = and(eq('projectId', projectId), eq('fingerprint', fingerprint));
    const [row] = await readStore.find(trackedErrors, { where, limit: 1, select: ['id', 'status'] });
    if (row && row.status !== 'resolved') return counts.seen({ projectId, fingerprint }, occurrence.seenAt);
    if (!row) await requireRoom(projectId);
    const trackedErrorId = row?.id ?? (await ids.next('trackedError'));
    await commands.handle(
      trackedErrorDecider,
      trackedErrorStream(projectId, fingerprint),
      { type: 'ReportError', projectId, fingerprint, trackedErrorId, facts, occurrence },
      // Whoever used the program is no concern of the log, neither are they its caller.
      { ...SYSTEM_METADATA, requestId },
    );
  }

  async function requireRoom(projectId: number): Promise<void> {
    const where = eq('projectId', projectId);
    const known = await readStore.count(trackedErrors, { where, atMost: MOST_TRACKED_ERRORS });
    if (known >= MOST_TRACKED_ERRORS)
      throw new Rejection('limit_reached', {
        problems: [`The project has ${MOST_TRACKED_ERRORS} errors already, delete some first`],
      });
  }

  return [
    implement(collectEnvelope, collecting(eventInEnvelope)),
    implement(collectStored, collecting(eventInReport)),
  ];
}
