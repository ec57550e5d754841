/**
 * `npm run bench`: compares the product with references, each in its own process, side by side in one run. Prints a
 * table and writes `bench/out/latest.json`. See docs/performance.md for how to read it.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from './harness/options.ts';
import { table, writeResults } from './harness/report.ts';
import type { Bench, Result, Scenario } from './harness/scenario.ts';
import { OUT, type Seeded, seeded } from './harness/seed.ts';
import { scenarios } from './scenarios/all.ts';

const options = readOptions(process.argv.slice(2));
const tell = (progress: string) => process.stderr.write(`  ${progress}\n`);

async function runOne(scenario: Scenario): Promise<Result[]> {
  const folders: string[] = [];
  const folder = async () => {
    const made = await mkdtemp(join(OUT, 'scratch-'));
    folders.push(made);
    return made;
  };
  /** Shared by concurrent scenarios. */
  const asked = new Map<string, Promise<Seeded>>();
  const data = (size: 'large' | 'small'): Promise<Seeded> => {
    const made = asked.get(size) ?? seeded(options[size], tell);
    asked.set(size, made);
    return made;
  };
  const copy = async () => {
    const small = await data('small');
    const target = await folder();
    await cp(small.folder, target, { recursive: true });
    return { ...small, folder: target };
  };
  const bench: Bench = { options, data, copy, folder, tell };
  try {
    return await scenario.run(bench);
  } finally {
    for (const made of folders) await rm(made, { recursive: true, force: true });
  }
}

await mkdir(OUT, { recursive: true });
if (options.seedOnly) {
  const { folder } = await seeded(options.large, tell);
  process.stdout.write(`${folder}\n`);
} else {
  const results: Result[] = [];
  for (const scenario of scenarios) {
    if (options.only.length > 0 && !scenario.goals.some((goal) => options.only.includes(goal))) continue;
    process.stderr.write(`goal ${scenario.goals.join(', ')}\n`);
    results.push(...(await runOne(scenario)));
    await writeResults(join(OUT, 'latest.json'), results);
  }
  process.stdout.write(`${table(results)}\n`);
}
