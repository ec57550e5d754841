import { writeFile } from 'node:fs/promises';
import type { Result } from './scenario.ts';
import type { Target } from './statistics.ts';

const sign = (target: Target) => ('atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`);

export function table(results: readonly Result[]): string {
  const rows = results.map(({ goal, name, ratio, target, spread, ok, detail }) => [
    String(goal),
    name,
    ratio.toFixed(2),
    `±${Math.round(spread * 100)} %`,
    sign(target),
    ok ? 'reached' : 'MISSED',
    detail,
  ]);
  const all = [['goal', 'what', 'ratio', 'spread', 'target', 'verdict', 'absolute'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Targets have the same form as in the table. */
export async function writeResults(path: string, results: readonly Result[]): Promise<void> {
  const rows = results.map((row) => ({ ...row, target: sign(row.target) }));
  await writeFile(path, `${JSON.stringify(rows, null, 2)}\n`);
}
