import { join } from 'node:path';
import { git } from './git-plumbing.ts';
import { Connection, httpRequest } from './load.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { ROOT_TOKEN } from './seed.ts';

/** Of the administrator, for requests with and without a body. */
export const rootHeaders = { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' };

export interface ChangedFile {
  path: string;
  content: string;
}

/** A project of a product that is measured, and calls of its API. */
export interface ProductRepository {
  id: number;
  /** Where git clones it from and pushes to, credentials included. */
  remote: string;
  /** The answer's body. Rejects for anything but a 2xx. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** Returns the commit's id. */
  commit(message: string, action: 'create' | 'update', files: readonly ChangedFile[]): Promise<string>;
  /** Makes a bare clone in a folder and returns its path. */
  mirror(folder: string): Promise<string>;
  close(): void;
}

export async function createRepository(product: MeasuredProcess, name: string): Promise<ProductRepository> {
  // The server closes a connection that was idle for seconds, as this one is while something else is measured.
  let connection = await Connection.open(product.port);
  const call = async (method: string, path: string, body?: object) => {
    if (!connection.isOpen()) connection = await Connection.open(product.port);
    const text = body && JSON.stringify(body);
    const reply = await connection.call(httpRequest(method, `/api/v4${path}`, rootHeaders, text));
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body.toString()) as unknown;
  };
  const project = (await call('POST', '/projects', { name })) as { id: number; path_with_namespace: string };
  const { id } = project;
  const remote = `http://root:${ROOT_TOKEN}@127.0.0.1:${product.port}/${project.path_with_namespace}.git`;
  return {
    id,
    remote,
    call,
    async commit(message, action, files) {
      const actions = files.map(({ path, content }) => ({ action, file_path: path, content }));
      const body = { branch: 'main', commit_message: message, actions };
      return ((await call('POST', `/projects/${id}/repository/commits`, body)) as { id: string }).id;
    },
    async mirror(folder) {
      const gitDir = join(folder, 'reference.git');
      git(gitDir, ['clone', '--quiet', '--bare', remote, gitDir]);
      return gitDir;
    },
    close: () => connection.close(),
  };
}
