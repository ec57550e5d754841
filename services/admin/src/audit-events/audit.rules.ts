import { type EventDefinition, fieldsOf, type PrivilegedChange } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { accessRequestAuditRules } from './access-request-audit.rules.ts';
import { type AuditEntry, type AuditRule, changeOf, flatChanges, snakeCase } from './audit-rule.ts';
import { badgeAuditRules } from './badge-audit.rules.ts';
import { ciAuditRules } from './ci-audit.rules.ts';
import { customAttributeAuditRules } from './custom-attribute-audit.rules.ts';
import { debianAuditRules } from './debian-audit.rules.ts';
import { deployKeyAuditRules } from './deploy-key-audit.rules.ts';
import { featureFlagAuditRules } from './feature-flag-audit.rules.ts';
import { instanceAuditRules } from './instance-audit.rules.ts';
import { memberAuditRules } from './member-audit.rules.ts';
import { oauthAuditRules } from './oauth-audit.rules.ts';
import { placeAuditRules } from './place-audit.rules.ts';
import { projectAuditRules } from './project-audit.rules.ts';
import { runnerAuditRules } from './runner-audit.rules.ts';
import { shareAuditRules } from './share-audit.rules.ts';
import { userAuditRules } from './user-audit.rules.ts';
import { webHookAuditRules } from './web-hook-audit.rules.ts';

/** Events with more detail than their contract gives. */
const EXCEPTIONS: readonly AuditRule[] = [
  ...userAuditRules,
  ...memberAuditRules,
  ...accessRequestAuditRules,
  ...placeAuditRules,
  ...projectAuditRules,
  ...shareAuditRules,
  ...badgeAuditRules,
  ...customAttributeAuditRules,
  ...instanceAuditRules,
  ...webHookAuditRules,
  ...debianAuditRules,
  ...ciAuditRules,
  ...featureFlagAuditRules,
  ...deployKeyAuditRules,
  ...oauthAuditRules,
  ...runnerAuditRules,
];

/**
 * A rule for every privileged event.
 * @throws Error for an exception of an unprivileged event, and for an event without the ids that its audit event names
 */
export function auditRules(
  definitions: readonly EventDefinition[] = events,
  exceptions: readonly AuditRule[] = EXCEPTIONS,
): ReadonlyMap<string, AuditRule> {
  const rules = new Map<string, AuditRule>();
  const ownRules = new Set(exceptions.map(({ type }) => type));
  for (const definition of definitions) {
    const { type, audit } = definition;
    if (typeof audit !== 'object') continue;
    if (!ownRules.has(type)) requireIds(definition, audit);
    rules.set(type, defaultRule(type, audit));
  }
  for (const rule of exceptions) {
    if (!rules.has(rule.type)) throw new Error(`event ${rule.type} has an audit rule and is not privileged`);
    rules.set(rule.type, rule);
  }
  return rules;
}

const idFieldOf = (noun: string) => `${noun[0]!.toLowerCase()}${noun.slice(1)}Id`;

function requireIds(definition: EventDefinition, { entity, target }: PrivilegedChange): void {
  const { type } = definition;
  const fields = fieldsOf(definition);
  for (const field of [idFieldOf(entity), idFieldOf(target)])
    if (!fields.includes(field))
      throw new Error(
        `event ${type}: its data has no ${field}, which its audit event names. Add it to the contract, or give the event a rule of its own in services/admin/src/audit-events`,
      );
}

/** A thing of projects and groups is of the one whose id is there. */
function entityOf(data: Record<string, unknown>, entity: PrivilegedChange['entity']): AuditEntry['entity'] {
  const type = [entity, 'Group' as const].find((kind) => typeof data[idFieldOf(kind)] === 'number') ?? entity;
  return { type, id: data[idFieldOf(type)] as number };
}

/** "Created freeze period 3", "Changed environment 4: tier", "Stopped environment 4". */
function defaultRule(type: string, { entity, target }: PrivilegedChange): AuditRule {
  const noun = snakeCase(target).replaceAll('_', ' ');
  const what = type.slice(target.length);
  return {
    type,
    async describe({ data }: { data: Record<string, unknown> }): Promise<AuditEntry> {
      const id = data[idFieldOf(target)] as number;
      const name = typeof data.name === 'string' ? data.name : undefined;
      const said = `${noun} ${name ?? id}`;
      const about = {
        entity: entityOf(data, entity),
        target: { type: target, id, details: name ?? `${noun[0]!.toUpperCase()}${noun.slice(1)} ${id}` },
      };
      if (what === 'Created') return { ...about, message: `Created ${said}`, add: noun.replaceAll(' ', '_') };
      if (what !== 'Updated') return { ...about, message: `${what} ${said}` };
      const flat = flatChanges(data.changes as Record<string, unknown>);
      return { ...about, message: `Changed ${said}: ${Object.keys(flat).join(', ')}`, ...changeOf(flat) };
    },
  };
}
