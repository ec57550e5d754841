import { createHash } from 'node:crypto';
import { getCoverageBadge, getPipelineBadge } from '@forgelog/contracts/ci/badges/badge.api.ts';
import { and, type Condition, desc, eq, not, oneOf } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { cachingHeaders, matchesEtag, notModified } from '@forgelog/service-kit/conditional.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { NO_CHILD, type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { type Badge, badgeImage } from './badge-image.ts';

const KEY_WIDTH = 62;
const [GREEN, OLIVE, YELLOW, RED, GREY] = ['#4c1', '#a3c51c', '#dfb317', '#e05d44', '#9f9f9f'];
const COLOURS: Readonly<Record<string, string>> = {
  success: GREEN,
  failed: RED,
  running: YELLOW,
  pending: YELLOW,
};

/** From this coverage on, in percent. */
const COVERED = [
  [95, GREEN],
  [90, OLIVE],
  [75, YELLOW],
  [0, RED],
] as const;

type Headers = Parameters<typeof matchesEtag>[0];
interface Look {
  ref: string;
  key_text?: string | undefined;
  key_width?: number | undefined;
  style: Badge['style'];
}

export function badgeRoutes({ readStore }: CiPorts): Implementation[] {
  async function newest(
    { project }: ProjectGrant,
    ref: string,
    ...further: Condition[]
  ): Promise<PipelineRow | undefined> {
    const ofRef = and(eq('projectId', project.id), eq('ref', ref), oneOf('refKind', ['branch', 'tag']));
    const where = and(ofRef, NO_CHILD, ...further);
    return (await readStore.find(pipelines, { where, sort: [desc('id')], limit: 1 }))[0];
  }

  async function coverageOf(pipeline: PipelineRow | undefined, name: string | undefined) {
    if (!pipeline || name === undefined) return pipeline?.coverage ?? null;
    const where = and(eq('pipelineId', pipeline.id), eq('name', name), eq('isRetried', false));
    const [job] = await readStore.find(jobs, { where, sort: [desc('id')], limit: 1 });
    return job?.coverage ?? null;
  }

  return [
    implement(getPipelineBadge, async ({ params, project, headers }) => {
      await requirePipelineReader(readStore, project);
      const further = params.ignore_skipped ? [not(eq('status', 'skipped'))] : [];
      const status = (await newest(project, params.ref, ...further))?.status ?? 'unknown';
      const value = status === 'success' ? 'passed' : status.replaceAll('_', ' ');
      return answer(headers, params, { key: 'pipeline', value, colour: COLOURS[status] ?? GREY });
    }),

    implement(getCoverageBadge, async ({ params, project, headers }) => {
      await requirePipelineReader(readStore, project);
      const coverage = await coverageOf(
        await newest(project, params.ref, eq('status', 'success')),
        params.job,
      );
      const [, colour] = COVERED.find(([least]) => coverage !== null && coverage >= least) ?? [0, GREY];
      const value = coverage === null ? 'unknown' : `${coverage.toFixed(2)}%`;
      return answer(headers, params, { key: 'coverage', value, colour });
    }),
  ];
}

function answer(headers: Headers, look: Look, says: Pick<Badge, 'key' | 'value' | 'colour'>): Answer {
  const { key_text: key = says.key, key_width: keyWidth = KEY_WIDTH, style } = look;
  const bytes = Buffer.from(badgeImage({ ...says, key, keyWidth, style }));
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  if (matchesEtag(headers, etag)) return notModified(etag);
  return {
    kind: 'bytes',
    bytes,
    headers: {
      ...cachingHeaders(etag),
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
