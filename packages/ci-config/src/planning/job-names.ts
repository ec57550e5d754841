import type { JobDefinition } from '../configuration.ts';
import { NAME_LENGTH } from '../limits.ts';

export interface JobCopy {
  name: string;
  /** Number of the copy, from 1; null without `parallel`. */
  index: number | null;
  total: number | null;
  variables: ReadonlyMap<string, string>;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Names the copies `test 1/3`, or `test: [ruby, postgres]` by the values of a matrix. */
export function copiesOf({ name, parallel }: JobDefinition): JobCopy[] {
  if (!parallel) return [{ name, index: null, total: null, variables: NONE }];
  if (parallel.kind === 'count')
    return Array.from({ length: parallel.total }, (_, at) => ({
      name: `${name} ${at + 1}/${parallel.total}`,
      index: at + 1,
      total: parallel.total,
      variables: NONE,
    }));
  return parallel.copies.map((variables, at) => ({
    name: shortened(`${name}: [${[...variables.values()].join(', ')}]`, at),
    index: at + 1,
    total: parallel.copies.length,
    variables,
  }));
}

/** The number keeps long names distinct after they are cut. */
function shortened(name: string, at: number): string {
  if (name.length <= NAME_LENGTH) return name;
  const end = `… ${at + 1}`;
  return name.slice(0, NAME_LENGTH - end.length) + end;
}
