import { FeatureFlagsClientReset } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { type AuditRule, audited } from './audit-rule.ts';

export const featureFlagAuditRules: readonly AuditRule[] = [
  audited(FeatureFlagsClientReset, async ({ data: { projectId: id } }) => ({
    entity: { type: 'Project', id },
    target: { type: 'FeatureFlagsClient', id, details: 'Instance id of feature flags' },
    message: 'Reset the instance id of feature flags',
  })),
];
