import { setImmediate as nextTurn } from 'node:timers/promises';
import { compilePattern } from '@forgelog/ci-config/patterns/regular-expression.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { growingLogKey } from '../objects/object-keys.ts';
import { definitionsOf } from '../pipelines/definitions-object.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';

/** Bytes at the end of a log, where tools write their totals. */
const READ_BYTES = 1024 * 1024;
/** Steps of searches, because patterns and logs come from strangers: between two pauses, and in all. */
const STEPS_AT_ONCE = 256 * 1024;
const MOST_STEPS = 16 * 1024 * 1024;
/** What is larger is no coverage, and the mean of many must stay finite. */
const LARGEST = 1_000_000_000;

/** Reads the coverage of a job that ends out of its log, by the pattern of its configuration. */
export function coverageOfJob(ports: Pick<ServicePorts, 'objects' | 'readStore' | 'log'>) {
  const { objects, readStore } = ports;

  async function endOfLog({ id: jobId, ...place }: JobRow): Promise<string> {
    const key = growingLogKey({ jobId, ...place });
    const size = (await objects.stat(key))?.size ?? 0;
    const start = Math.max(0, size - READ_BYTES);
    const found = size === 0 ? null : await objects.get(key, { start, end: size });
    if (!found) return '';
    const text = (await collect(found.body, READ_BYTES)).toString('utf8');
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  }

  /** @returns null for none. @throws ObjectStoreUnavailableError */
  return async (job: JobRow): Promise<number | null> => {
    const pipeline = await readStore.get(pipelines, job.pipelineId);
    const definitions = pipeline && (await definitionsOf(ports, pipeline));
    const pattern = definitions?.jobs.get(job.name)?.coverage;
    return pattern ? coverageIn(await endOfLog(job), pattern) : null;
  };
}

/**
 * Returns the number in the last match of the last line that has one; null for none. A line that is too long for its
 * pattern is left out, and the search ends where it takes too many steps.
 */
export async function coverageIn(log: string, written: string): Promise<number | null> {
  const pattern = compilePattern(written);
  if (!pattern) return null;
  let steps = 0;
  let pauseAt = STEPS_AT_ONCE;
  for (const line of linesFromTheEnd(log)) {
    if (pattern.size * line.length > STEPS_AT_ONCE) continue;
    const searches = pattern.matches(line);
    let last: string | null = null;
    for (let at = 0; ; ) {
      steps += pattern.size * (line.length - at + 1);
      if (steps > MOST_STEPS) return null;
      if (steps > pauseAt) {
        await nextTurn();
        pauseAt = steps + STEPS_AT_ONCE;
      }
      const { value: found } = searches.next();
      if (!found) break;
      last = found.value ?? last;
      at = found.end;
    }
    const coverage = Number(/\d+(?:\.\d+)?/.exec(last ?? '')?.[0] ?? Number.NaN);
    if (coverage <= LARGEST) return coverage;
  }
  return null;
}

function* linesFromTheEnd(text: string): Generator<string> {
  for (let end = text.length; end >= 0; ) {
    const before = end === 0 ? -1 : text.lastIndexOf('\n', end - 1);
    yield text.slice(before + 1, text[end - 1] === '\r' ? end - 1 : end);
    end = before;
  }
}
