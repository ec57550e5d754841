import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let projectId: number;
let blob: string;
let commit: string;

/** Streams that are made while they are sent: they have no representation to name beforehand. */
const MADE_WHILE_SENT = /archive|event-stream|events-stream/;

beforeAll(async () => {
  forgelog = await startForgelog();
  const project = await forgelog.post('/projects', { name: 'read me', initialize_with_readme: true });
  projectId = project.body.id;
  await forgelog.post(`/projects/${projectId}/issues`, { title: 'first' });
  const tree = await forgelog.get(`/projects/${projectId}/repository/tree`);
  blob = tree.body[0].id;
  commit = (await forgelog.get(`/projects/${projectId}/repository/commits`)).body[0].id;
  // The repository is measured a moment after the commit, and answers about the project change with that.
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
});
afterAll(() => forgelog.stop());

/** An address of the endpoint that may well lead to something. */
function addressOf({ path, access }: AnyEndpoint): string {
  const isUser = access.kind === 'user' || access.kind === 'administrator' || access.kind === 'anyone';
  const values: Record<string, string> = {
    id: isUser && !path.startsWith('/projects') ? '1' : String(projectId),
    sha: path.includes('blobs') ? blob : commit,
    file_path: 'README.md',
    branch: 'main',
    issue_iid: '1',
  };
  const filled = path.replace(/[:*](\w+)/g, (_, name: string) => values[name] ?? '1');
  const query = path.includes('files') ? '?ref=main' : path.includes('compare') ? '?from=main&to=main' : '';
  return filled + query;
}

const readable = endpoints.filter(({ method, id }) => method === 'GET' && !MADE_WHILE_SENT.test(id));

describe('every GET endpoint', () => {
  test('sends an ETag, and answers 304 to a client that has it', async () => {
    const missing: string[] = [];
    let answered = 0;
    for (const endpoint of readable) {
      const address = addressOf(endpoint);
      const first = await forgelog.get(address);
      if (first.status !== 200) continue;
      answered += 1;
      const etag = first.headers.get('etag');
      if (etag === null) {
        missing.push(endpoint.id);
        continue;
      }
      const again = await forgelog.get(address, { headers: { 'If-None-Match': `"other", ${etag}` } });
      if (again.status !== 304 || again.text !== '' || again.headers.get('etag') !== etag)
        missing.push(`${endpoint.id}: ${again.status} ${again.headers.get('etag')}`);
    }
    expect(missing).toEqual([]);
    // Most of them can be asked with what there is here.
    expect(answered).toBeGreaterThan(readable.length / 3);
  });
});

describe('raw content', () => {
  const addresses = () => [
    `/projects/${projectId}/repository/blobs/${blob}/raw`,
    `/projects/${projectId}/repository/files/README.md/raw?ref=main`,
  ];

  test("has its blob's id as a strong ETag", async () => {
    for (const address of addresses()) {
      const first = await forgelog.get(address);
      expect(first.headers.get('etag')).toBe(`"${blob}"`);
      const again = await forgelog.get(address, { headers: { 'If-None-Match': `"${blob}"` } });
      expect([again.status, again.text]).toEqual([304, '']);
      const other = await forgelog.get(address, { headers: { 'If-None-Match': `"${commit}"` } });
      expect(other.text).toBe(first.text);
    }
  });
});
