import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice, projectionOf, type Slice } from '@forgelog/service-kit/slice.ts';
import type { StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { type RunningSlices, startSlices } from '@forgelog/testing/start-slices.ts';
import { onTestFinished } from 'vitest';
import { ciVariableSlice } from '../ci-variables/ci-variable.slice.ts';
import { freezePeriodSlice } from '../freeze-periods/freeze-period.slice.ts';
import { type CiPorts, createCiPorts } from '../ports.ts';
import { runnersProjection } from '../runners/runners.projection.ts';
import { type SampleRepository, sampleRepositories } from './sample-repositories.slice.ts';

interface RunningCiSlices extends RunningSlices {
  ci: CiPorts;
}

/** Slices that compile configurations, on memory stores and with real threads, which end with the test. */
export async function startCiSlices(
  slices: readonly Slice<CiPorts>[],
  repositories: Readonly<Record<number, SampleRepository>>,
  given: readonly StreamedEvent[] = [],
  options: { clock?: () => Date } = {},
): Promise<RunningCiSlices> {
  let made: CiPorts | undefined;
  const ciPorts = (ports: ServicePorts): CiPorts => {
    made ??= createCiPorts(ports);
    return made;
  };
  const running = await startSlices(
    [
      sampleRepositories(repositories),
      defineSlice<ServicePorts>({ projections: [runnersProjection] }),
      // Their read models are asked by every compilation.
      ...[ciVariableSlice, freezePeriodSlice].map(({ projections }) =>
        defineSlice<ServicePorts>({ projections }),
      ),
      ...slices.map(({ routes, projections }) =>
        defineSlice<ServicePorts>({
          routes: routes.map((route) => (ports) => route(ciPorts(ports))),
          projections: projections.map((projection) => (ports) => projectionOf(projection, ciPorts(ports))),
        }),
      ),
    ],
    given,
    options,
  );
  const ci = ciPorts(running.ports);
  onTestFinished(() => ci.compiler.stop());
  return { ...running, ci };
}
