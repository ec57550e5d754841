import { join } from 'node:path';
import { git } from './git-plumbing.ts';
import { Connection, httpRequest } from './load.ts';
import type { MeasuredProcess } from './measured-process.ts';
import { ROOT_TOKEN } from './seed.ts';

/** The administrator's headers, for requests with and without a body. */
export const rootHeaders = { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' };

export interface ChangedFile {
  path: string;
  content: string;
}

/** A project on a measured product, with API calls. */
export interface ProductRepository {
  id: number;
  /** Address for git to clone from and push to, credentials included. */
  remote: string;
  /** Returns the answer's body. Rejects for anything but a 2xx. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** Returns the commit's id. */
  commit(message: string, action: 'create' | 'update', files: readonly ChangedFile[]): Promise<string>;
  /** Creates a bare clone and returns its path. */
  mirror(folder: string): Promise<string>;
  close(): void;
}

export async function createRepository(product: MeasuredProcess, name: string): Promise<ProductRepository> {
  // The server closes idle connections after seconds, for example during another measurement.
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
