import { describeFeatureFlag } from '@forgelog/contracts/ci/feature-flags/feature-flag.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { describedRow } from '@forgelog/service-kit/described-record.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { featureFlags } from './feature-flags.projection.ts';

export function featureFlagOperations({ readStore }: ServicePorts): OperationImplementation[] {
  return [
    implementOperation(describeFeatureFlag, async ({ request }) => {
      const [row] = await readStore.find(featureFlags, describedRow(request));
      if (!row) return { featureFlag: null };
      const { id, projectId, name, description, active } = row;
      return { featureFlag: { id, projectId, name, description, active } };
    }),
  ];
}
