import { Connection, httpRequest } from '../harness/load.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const CROWD = 200;
const READS = 30;

/**
 * Measures readers of one repository while two hundred clients repeatedly request blames of another. Blames run two at
 * a time (on two cores), queue, or are rejected with a retry time.
 */
export const neighbours: Scenario = {
  goals: [20],
  async run(bench: Bench) {
    const product = await startProduct(await bench.folder());
    try {
      const [busy, other] = [await repositoryOf(product, 'busy'), await repositoryOf(product, 'other')];
      const reader = await Connection.open(product.port);
      const reads = { file: `${other}/raw?ref=main`, blame: `${other}/blame?ref=main` };
      const alone: Record<keyof typeof reads, number[]> = { file: [], blame: [] };
      const beside: Record<keyof typeof reads, number[]> = { file: [], blame: [] };
      let answers = { served: 0, refused: 0 };
      for (let round = -1; round < bench.options.rounds; round += 1) {
        const calm = await latencies(reader, reads);
        const crowd = await gather(product, `${busy}/blame?ref=main`);
        const crowded = await latencies(reader, reads);
        answers = await crowd.leave();
        if (round < 0) continue;
        for (const name of ['file', 'blame'] as const) {
          alone[name].push(calm[name]);
          beside[name].push(crowded[name]);
        }
      }
      reader.close();
      const row = (name: keyof typeof reads, atMost: number) =>
        result(
          20,
          `${name} beside ${CROWD} blames of another repository`,
          { atMost },
          beside[name].map((ms, round) => ms / alone[name][round]!),
          `alone ${median(alone[name]).toFixed(1)} ms; beside ${median(beside[name]).toFixed(1)} ms; the crowd: ` +
            `${answers.served} served, ${answers.refused} told to come again`,
        );
      return [row('file', 4), row('blame', 4)];
    } finally {
      await product.stop();
    }
  },
};

/** Creates a repository with a long file with history; returns the file's URL. */
async function repositoryOf(product: MeasuredProcess, name: string): Promise<string> {
  const project = await createRepository(product, name);
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}`);
  for (let commit = 0; commit < 10; commit += 1) {
    for (let at = commit; at < lines.length; at += 10) lines[at] += ` ${commit}`;
    const content = lines.join('\n');
    await project.commit(`${commit}`, commit === 0 ? 'create' : 'update', [{ path: 'long.txt', content }]);
  }
  project.close();
  return `/api/v4/projects/${project.id}/repository/files/long.txt`;
}

/** Median milliseconds of each read. */
async function latencies<Name extends string>(
  reader: Connection,
  reads: Readonly<Record<Name, string>>,
): Promise<Record<Name, number>> {
  const found = {} as Record<Name, number>;
  for (const name of Object.keys(reads) as Name[]) {
    const taken: number[] = [];
    for (let at = 0; at < READS; at += 1) {
      const begin = performance.now();
      const { status, body } = await reader.call(httpRequest('GET', reads[name], rootHeaders));
      if (status !== 200) throw new Error(`GET ${reads[name]}: ${status} ${body}`);
      taken.push(performance.now() - begin);
    }
    found[name] = median(taken);
  }
  return found;
}

/** Sends requests until stopped; a rejected one is retried after a pause. */
async function gather({ port }: MeasuredProcess, path: string) {
  const answers = { served: 0, refused: 0 };
  let isOver = false;
  const everybody = Array.from({ length: CROWD }, async () => {
    const connection = await Connection.open(port);
    while (!isOver) {
      const { status } = await connection.call(httpRequest('GET', path, rootHeaders));
      if (status === 200) answers.served += 1;
      else if (status === 503) {
        answers.refused += 1;
        await new Promise((done) => setTimeout(done, 100));
      } else throw new Error(`GET ${path}: ${status}`);
    }
    connection.close();
  });
  return {
    async leave() {
      isOver = true;
      await Promise.all(everybody);
      return answers;
    },
  };
}
