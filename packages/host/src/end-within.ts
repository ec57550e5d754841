import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';

/**
 * One step of a stop. A step that fails or does not end in time is logged and left behind, because the steps after it
 * release what the next start needs.
 */
export async function endWithin(
  step: string,
  end: () => Promise<unknown> | undefined,
  { stopMs, log }: { stopMs: number; log: Logger },
): Promise<void> {
  try {
    const ending = end();
    if (ending) await withDeadline(ending, stopMs, () => new Error(`not ended within ${stopMs} ms`));
  } catch (error) {
    log.error({ err: error, step }, 'a step of the stop failed');
  }
}
