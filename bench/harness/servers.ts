import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, httpRequest } from './load.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { OUT, ROOT_TOKEN, type Seeded } from './seed.ts';

const main = join(import.meta.dirname, '../../infra/src/main.ts');
const bare = join(import.meta.dirname, 'bare-server.ts');

/** Starts the product as in production, with its log in a file. */
export function startProduct(
  folder: string,
  environment: Record<string, string> = {},
): Promise<MeasuredProcess> {
  return startMeasured(main, {
    env: { DATA_DIR: folder, ROOT_TOKEN, ...environment },
    output: join(OUT, 'product.log'),
    ready: '/-/readiness',
    profiled: true,
  });
}

/** Starts plain `node:http` that answers with these bytes. */
export async function startBare(body: Buffer): Promise<MeasuredProcess> {
  const file = join(OUT, 'bare-body');
  await writeFile(file, body);
  return startMeasured(bare, { env: { BODY: file }, output: join(OUT, 'bare.log'), ready: '/' });
}

export function get({ token }: Seeded, path: string): string {
  return httpRequest('GET', `/api/v4${path}`, { 'PRIVATE-TOKEN': token });
}

/** The product's answer to a request, which a reference then sends too. */
export async function answerOf(product: MeasuredProcess, request: string): Promise<Buffer> {
  const connection = await Connection.open(product.port);
  try {
    const { status, head, body } = await connection.call(request);
    if (status !== 200) throw new Error(`${head}\n${body}`);
    return body;
  } finally {
    connection.close();
  }
}
