/*
 * The reference for merges: `node:http` in front of the git processes of a merge commit (GIT_DIR), with the product's
 * durability. `/<commit>` merges that commit into `main`, and returns the merge commit's id.
 */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

const run = promisify(execFile);
const durable = ['-c', 'core.fsync=objects,derived-metadata,reference'];
const person = { NAME: 'Bench', EMAIL: 'bench@example.org' };
const env = {
  PATH: process.env.PATH,
  ...Object.fromEntries(Object.entries(person).map(([name, value]) => [`GIT_AUTHOR_${name}`, value])),
  ...Object.fromEntries(Object.entries(person).map(([name, value]) => [`GIT_COMMITTER_${name}`, value])),
};

async function git(...args: string[]): Promise<string> {
  const given = [...durable, '--git-dir', process.env.GIT_DIR ?? '', ...args];
  return (await run('git', given, { env })).stdout.trim();
}

async function merge(sha: string): Promise<string> {
  const tip = await git('rev-parse', 'refs/heads/main');
  const tree = await git('merge-tree', '--write-tree', tip, sha);
  const commit = await git('commit-tree', tree, '-p', tip, '-p', sha, '-m', `Merge ${sha}`);
  await git('update-ref', 'refs/heads/main', commit, tip);
  return commit;
}

const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end();
  const id = await merge(request.url!.slice(1));
  response.writeHead(200, { 'Content-Length': id.length }).end(id);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
