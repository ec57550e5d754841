import { LRUCache } from 'lru-cache';

export interface PushVariable {
  key: string;
  value: string;
}

/** Variables that pushes give to their pipelines. Their values are never logged, so they are kept in memory alone. */
export interface PushVariables {
  keep(pushId: string, userId: number | null, pushOptions: readonly string[]): void;
  /** Null where there are none, or where somebody else asks. */
  read(pushId: string, userId: number | null): PushVariable[] | null;
}

const KEPT_MS = 15 * 60_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

const OPTION = /^ci\.variable="?([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;

export function createPushVariables(): PushVariables {
  const kept = new LRUCache<string, { userId: number | null; variables: PushVariable[] }>({
    ttl: KEPT_MS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ variables }) =>
      variables.reduce((sum, { key, value }) => sum + key.length + value.length, 100),
  });
  return {
    keep(pushId, userId, pushOptions) {
      const variables = pushOptions.flatMap((option) => variableOf(option) ?? []);
      if (variables.length > 0) kept.set(pushId, { userId, variables });
    },
    read(pushId, userId) {
      const found = kept.get(pushId);
      return found && found.userId === userId ? found.variables : null;
    },
  };
}

/** `ci.variable=KEY=value`, also where quotes around the latter reached git. */
function variableOf(option: string): PushVariable | undefined {
  const [, key, value = ''] = OPTION.exec(option) ?? [];
  if (key === undefined) return undefined;
  const isQuoted = option.startsWith('ci.variable="') && value.endsWith('"');
  return { key, value: isQuoted ? value.slice(0, -1) : value };
}
