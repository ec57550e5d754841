import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { inhabit } from '../support/inhabited.ts';
import { schemathesisConfiguration } from '../support/schemathesis.ts';
import { startServerProcess } from '../support/server-process.ts';

/** Where `npm run test:real` has installed it. */
const packages = process.env.SCHEMATHESIS;
const support = join(import.meta.dirname, '../support');
const seed = process.env.SCHEMATHESIS_SEED ?? '1';
const examples = process.env.SCHEMATHESIS_EXAMPLES ?? '2';

test.skipIf(packages === undefined)(
  'the API conforms to its document, for valid and invalid requests',
  // Twenty minutes of one core on a slow machine, beside other tests.
  { timeout: 2_400_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forgelog-schemathesis-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const server = startServerProcess({ DATA_DIR: join(folder, 'data'), ROOT_TOKEN });
    onTestFinished(() => server.stop().then(() => {}));
    const url = (await server.ready)!;
    const configuration = schemathesisConfiguration(await inhabit(callsTo(url, [])));
    await writeFile(join(folder, 'schemathesis.toml'), configuration);
    const { code, output } = await runSchemathesis(folder, `${url}/api/v4/openapi.json`);
    // Reports of requests are long; the first ones are enough to begin with.
    expect(code, output.slice(output.indexOf('= FAILURES ='), 30_000)).toBe(0);
    expect(output).toMatch(/[\d,]{4,} generated/);
  },
);

async function runSchemathesis(folder: string, document: string) {
  const bounds = ['--phases', 'coverage,fuzzing', '--max-examples', examples, '--seed', seed];
  const child = spawn('python3', ['-m', 'schemathesis.cli', 'run', document, '--no-color', ...bounds], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: [packages, support].join(':'), PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
