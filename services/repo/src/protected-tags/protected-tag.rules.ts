import type { Projection } from '@forgelog/eventing/projection.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { refPattern } from '@forgelog/service-kit/ref-pattern.ts';
import { levelAdmission } from '../refs/admission.rules.ts';
import type { RefRule, RefRuleSource } from '../refs/ref-protection.rules.ts';
import { rowRules } from '../refs/row-rules.ts';
import { type ProtectedTagRow, protectedTags, protectedTagsProjection } from './protected-tags.projection.ts';

export const protectedTagRules = (
  readStore: Pick<ReadStore, 'find'>,
): RefRuleSource & { projection: Projection } =>
  rowRules(readStore, protectedTagsProjection, { rows: protectedTags, ruleOf: tagRule });

const CHANGED = 'Protected tags cannot be updated.';

/** What git prints to a pusher; stock clients know the texts. */
const REFUSALS: RefRule['refusals'] = {
  create: 'You are not allowed to create this tag as it is protected.',
  update: CHANGED,
  merge: CHANGED,
  force: CHANGED,
  delete:
    'You are not allowed to delete protected tags from this project. ' +
    'Only a project maintainer or owner can delete a protected tag.',
};

/** A protected tag never moves, and Maintainers delete it (companions 2.5). */
export function tagRule({
  name,
  createAccessLevel,
}: Pick<ProtectedTagRow, 'name' | 'createAccessLevel'>): RefRule {
  return {
    covers: refPattern(`refs/tags/${name}`),
    admits: {
      ...{ create: [levelAdmission(createAccessLevel)], delete: [levelAdmission(40)] },
      ...{ update: [], force: [], merge: [] },
    },
    refusals: REFUSALS,
  };
}
