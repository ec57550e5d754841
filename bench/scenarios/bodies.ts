import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { git } from '../harness/git-plumbing.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import { createRepository } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { ROOT_TOKEN } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const MIB = 1024 * 1024;
const AT_ONCE = 6;

interface Way {
  name: string;
  little(): Promise<unknown>;
  much(): Promise<unknown>;
}

/** The most memory that bodies take, many MiB against few: what is streamed takes none, commits are read one at a time. */
export const bodies: Scenario = {
  goals: [29],
  async run(bench: Bench) {
    const { quick, rounds } = bench.options;
    const [few, many] = quick ? [4, 24] : [8, 96];
    const product = await startProduct(await bench.folder());
    const project = await createRepository(product, 'bench bodies');
    await project.commit('First', 'create', [{ path: 'README.md', content: 'text' }]);
    const gitDir = join(await bench.folder(), 'source.git');
    git(gitDir, ['init', '--quiet', '--bare', gitDir]);
    const at = `/api/v4/projects/${project.id}`;
    const commit = (mebibytes: number) =>
      send(product, `${at}/repository/commits`, 'application/json', commitOf(mebibytes));
    const upload = (mebibytes: number) =>
      send(product, `${at}/uploads`, `multipart/form-data; boundary=${BOUNDARY}`, formOf(mebibytes));
    const push = async (mebibytes: number) => pushOf(gitDir, project.remote, mebibytes);
    const together = () => Promise.all(Array.from({ length: AT_ONCE }, () => commit(many / 2)));
    const ways: Way[] = [
      {
        name: `an upload of ${many} MiB against ${few}`,
        little: () => upload(few),
        much: () => upload(many),
      },
      { name: `a push of ${many} MiB against ${few}`, little: () => push(few), much: () => push(many) },
      {
        name: `${AT_ONCE} commits of ${many / 2} MiB at once against one`,
        little: () => commit(many / 2),
        much: together,
      },
    ];
    const peak = async (act: () => Promise<unknown>) => {
      await product.usage();
      await act();
      return (await product.usage()).peak / MIB;
    };
    try {
      const results = [];
      for (const { name, little, much } of ways) {
        const peaks: { little: number; much: number }[] = [];
        for (let round = 0; round <= rounds; round += 1) {
          const taken = { little: await peak(little), much: await peak(much) };
          if (round > 0) peaks.push(taken);
        }
        const of = (side: 'little' | 'much') => median(peaks.map((taken) => taken[side])).toFixed(0);
        const ratios = peaks.map((taken) => taken.much / taken.little);
        results.push(
          result(29, `memory of ${name}`, { atMost: 1.3 }, ratios, `${of('much')} MiB and ${of('little')}`),
        );
      }
      return results;
    } finally {
      project.close();
      await product.stop();
    }
  },
};

const BOUNDARY = 'x-boundary';
let number = 0;

function formOf(mebibytes: number): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(head),
    randomBytes(mebibytes * MIB),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** A body of about this size, whose file is three quarters of it. */
function commitOf(mebibytes: number): Buffer {
  const content = randomBytes((mebibytes * MIB * 3) / 4).toString('base64');
  number += 1;
  const action = { action: 'create', file_path: `file-${number}`, encoding: 'base64', content };
  return Buffer.from(JSON.stringify({ branch: 'main', commit_message: `${number}`, actions: [action] }));
}

/** Sends it, and again where the server says when to come again. */
async function send({ port }: MeasuredProcess, path: string, type: string, body: Buffer): Promise<void> {
  for (;;) {
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': type, 'Content-Length': body.length };
    const sent = request({ port, path, host: '127.0.0.1', method: 'POST', headers, agent: false });
    sent.end(body);
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
    if (response.statusCode === 201) return;
    const after = Number(response.headers['retry-after']);
    if (response.statusCode !== 503 || !after) throw new Error(`POST ${path}: ${response.statusCode}`);
    await sleep(after * 1000);
  }
}

/** Pushes one new file on a branch of its own. */
function pushOf(gitDir: string, remote: string, mebibytes: number): void {
  number += 1;
  const head = `blob\nmark :1\ndata ${mebibytes * MIB}\n`;
  const commit = `commit refs/heads/b${number}\ncommitter A <a@example.org> ${number} +0000\ndata 1\nx\nM 100644 :1 f\n`;
  const history = Buffer.concat([
    Buffer.from(head),
    randomBytes(mebibytes * MIB),
    Buffer.from(`\n${commit}`),
  ]);
  git(gitDir, ['fast-import', '--quiet'], history);
  git(gitDir, ['push', '--quiet', remote, `refs/heads/b${number}`]);
}
