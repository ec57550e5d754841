import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import { LRUCache } from 'lru-cache';
import { gzipMembers } from '../artifacts/gzip-members.ts';
import { type JobArtifactRow, jobArtifacts, jobs } from '../jobs/jobs.collection.ts';
import { artifactObject } from '../objects/object-keys.ts';
import { JUNIT_LIMITS, readJUnit, type TestCase } from './junit.ts';

export interface TestSuite {
  name: string;
  jobIds: number[];
  cases: readonly TestCase[];
  /** Why a report could not be read; its cases are missing. */
  error: string | null;
}

interface ReadReport {
  cases: readonly TestCase[];
  error: string | null;
  /** About how many characters it holds. */
  size: number;
}

const MAX_PACKED_BYTES = 32 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** Characters of all reports that one answer holds. */
const MAX_ANSWER_SIZE = 64 * 1024 * 1024;
const REMEMBERED_SIZE = 64 * 1024 * 1024;
const MOST_REPORTS = 1000;

/** Reads the reports of pipelines. A report never changes, so the newest ones stay in memory. */
export function testSuites({ readStore, objects }: Pick<ServicePorts, 'readStore' | 'objects'>) {
  const reports = new LRUCache<string, ReadReport, JobArtifactRow>({
    maxSize: REMEMBERED_SIZE,
    sizeCalculation: ({ size }) => Math.min(size, REMEMBERED_SIZE),
    fetchMethod: (_key, _stale, { context }) => readReport(objects, context),
  });

  return async (pipelineId: number): Promise<TestSuite[]> => {
    const artifacts = await readStore.find(jobArtifacts, {
      where: and(eq('pipelineId', pipelineId), eq('fileType', 'junit')),
      sort: [asc('jobId')],
      limit: MOST_REPORTS,
    });
    if (artifacts.length === 0) return [];
    const found = await readStore.find(jobs, {
      where: and(
        oneOf(
          'id',
          artifacts.map(({ jobId }) => jobId),
        ),
        eq('isRetried', false),
      ),
      limit: artifacts.length,
      select: ['id', 'name'],
    });
    const names = new Map(found.map(({ id, name }) => [id, name]));
    const suites = new Map<string, TestSuite>();
    let size = 0;
    for (const artifact of artifacts) {
      const jobName = names.get(artifact.jobId);
      if (jobName === undefined) continue;
      const name = suiteName(jobName);
      const suite = suites.get(name) ?? { name, jobIds: [], cases: [], error: null };
      suites.set(name, suite);
      suite.jobIds.push(artifact.jobId);
      const report = (await reports.fetch(artifact.sha256, { context: artifact }))!;
      size += report.size;
      suite.error ??= size > MAX_ANSWER_SIZE ? 'The reports of the pipeline are too large' : report.error;
      if (size <= MAX_ANSWER_SIZE) suite.cases = [...suite.cases, ...report.cases];
    }
    return [...suites.values()];
  };
}

/** The parts of a parallel job are one suite: `test 2/3` belongs to `test`. */
const suiteName = (jobName: string) => jobName.replace(/\s+\d+\/\d+$/, '');

async function readReport(objects: ObjectStore, artifact: JobArtifactRow): Promise<ReadReport> {
  const { fileType, sha256, size, fileFormat } = artifact;
  if (size > MAX_PACKED_BYTES) return unreadable(`the report has more than ${MAX_PACKED_BYTES} bytes`);
  const found = await objects.get(artifactObject(artifact, fileType, sha256));
  if (!found) return unreadable('the report is missing');
  const bytes = await collect(found.body, MAX_PACKED_BYTES);
  const cases: TestCase[] = [];
  let characters = 0;
  try {
    const files = fileFormat === 'gzip' ? gzipMembers(bytes, MAX_UNPACKED_BYTES) : [bytes];
    for await (const file of files) {
      const text = new TextDecoder().decode(file);
      characters += text.length;
      const left = JUNIT_LIMITS.cases - cases.length;
      cases.push(...(await readJUnit(text, { ...JUNIT_LIMITS, cases: left })));
    }
  } catch (error) {
    return unreadable((error as Error).message);
  }
  return { cases, error: null, size: characters + 1 };
}

const unreadable = (why: string): ReadReport => ({
  cases: [],
  error: `JUnit XML parsing failed: ${why}`,
  size: 1,
});
