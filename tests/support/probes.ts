/** No probe of a process that lives takes longer, however busy the machine. */
const ANSWER_MS = 30_000;

/**
 * Status of a process's probe; 0 where nobody answers, now or in time. Never rejects, so it may be asked beside a test.
 * @param signal ends the question
 */
export async function probe(
  address: string,
  name: 'liveness' | 'readiness',
  signal?: AbortSignal,
): Promise<number> {
  const late = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(`${address}/-/${name}`, {
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
