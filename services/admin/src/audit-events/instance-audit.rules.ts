import {
  AppearanceCreated,
  AppearanceUpdated,
} from '@forgelog/contracts/admin/appearance/appearance.events.ts';
import {
  FeatureCreated,
  FeatureDeleted,
  FeatureUpdated,
} from '@forgelog/contracts/admin/features/feature.events.ts';
import {
  PlanLimitsCreated,
  PlanLimitsUpdated,
} from '@forgelog/contracts/admin/plan-limits/plan-limits.events.ts';
import { SettingsCreated, SettingsUpdated } from '@forgelog/contracts/admin/settings/settings.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

/** What concerns the whole instance is among what its author did: an audit event belongs to a user or a place. */
function ofAuthor(
  { metadata }: Pick<RecordedEvent, 'metadata'>,
  type: string,
  details: string,
): Pick<AuditEntry, 'entity' | 'target'> {
  const id = initiatorOf(metadata).actorId!;
  return { entity: { type: 'User', id }, target: { type, id, details } };
}

function changed(what: string, changes: Readonly<Record<string, unknown>>) {
  const flat = flatChanges(changes);
  return { message: `Changed ${what}: ${Object.keys(flat).join(', ')}`, ...changeOf(flat) };
}

export const instanceAuditRules: readonly AuditRule[] = [
  audited(FeatureCreated, async (event) => ({
    ...ofAuthor(event, 'Feature', event.data.name),
    message: `Set feature flag ${event.data.name}`,
    add: 'feature_flag',
  })),
  audited(FeatureUpdated, async (event) => ({
    ...ofAuthor(event, 'Feature', event.data.name),
    ...changed(`feature flag ${event.data.name}`, event.data.changes),
  })),
  audited(FeatureDeleted, async (event) => ({
    ...ofAuthor(event, 'Feature', event.data.name),
    message: `Deleted feature flag ${event.data.name}`,
  })),
  audited(SettingsCreated, async (event) => {
    const { settingsId: _, ...set } = event.data;
    return {
      ...ofAuthor(event, 'Settings', 'application settings'),
      ...changed('application settings', set),
    };
  }),
  audited(SettingsUpdated, async (event) => ({
    ...ofAuthor(event, 'Settings', 'application settings'),
    ...changed('application settings', event.data.changes),
  })),
  audited(AppearanceCreated, async (event) => {
    const { appearanceId: _, ...set } = event.data;
    return { ...ofAuthor(event, 'Appearance', 'appearance'), ...changed('appearance', set) };
  }),
  audited(AppearanceUpdated, async (event) => ({
    ...ofAuthor(event, 'Appearance', 'appearance'),
    ...changed('appearance', event.data.changes),
  })),
  audited(PlanLimitsCreated, async (event) => ({
    ...ofAuthor(event, 'PlanLimits', event.data.plan),
    message: `Set limits of plan ${event.data.plan}`,
    add: 'plan_limits',
  })),
  audited(PlanLimitsUpdated, async (event) => ({
    ...ofAuthor(event, 'PlanLimits', event.data.plan),
    ...changed(`limits of plan ${event.data.plan}`, event.data.changes),
  })),
];
