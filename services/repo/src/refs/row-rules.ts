import type { Projection } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { AnyCollection, DocumentOf, ReadStore } from '@forgelog/eventing/read-store.ts';
import { MAX_PROTECTED_NAMES } from './protected-name.rules.ts';
import type { RefRule, RefRuleSource } from './ref-protection.rules.ts';

/** The rows of a project as rules, and the projection that keeps the rows and tells when they change. */
export function rowRules<C extends AnyCollection>(
  readStore: Pick<ReadStore, 'find'>,
  projection: Projection,
  { rows, ruleOf }: { rows: C; ruleOf: (row: DocumentOf<C>) => RefRule },
): RefRuleSource & { projection: Projection } {
  let changes = 0;
  return {
    projection: {
      ...projection,
      applied() {
        changes += 1;
      },
    },
    get changes() {
      return changes;
    },
    async rulesOf(projectId) {
      const where = eq('projectId', projectId);
      return (await readStore.find(rows, { where, limit: MAX_PROTECTED_NAMES })).map(ruleOf);
    },
  };
}
