import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  FeatureFlagCreated,
  FeatureFlagDeleted,
  FeatureFlagUpdated,
  FeatureFlagUserListCreated,
  FeatureFlagUserListDeleted,
  FeatureFlagUserListUpdated,
} from './feature-flag.events.ts';

export const featureFlagLifetime = defineLifetime({
  kind: 'FeatureFlag',
  id: ['featureFlagId'],
  begins: [begins(FeatureFlagCreated)],
  changes: changedBy(FeatureFlagUpdated),
  ends: [endsWith(FeatureFlagDeleted, ['featureFlagId']), endsWith(ProjectDeleted, ['projectId'])],
});

export const featureFlagUserListLifetime = defineLifetime({
  kind: 'FeatureFlagUserList',
  id: ['featureFlagUserListId'],
  begins: [begins(FeatureFlagUserListCreated)],
  changes: changedBy(FeatureFlagUserListUpdated),
  ends: [
    endsWith(FeatureFlagUserListDeleted, ['featureFlagUserListId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
