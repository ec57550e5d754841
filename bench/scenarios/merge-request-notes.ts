import { compare, figures, type Round, ratios } from '../harness/compare.ts';
import { git } from '../harness/git-plumbing.ts';
import { Connection, httpRequest } from '../harness/load.ts';
import type { MeasuredProcess } from '../harness/measured-process.ts';
import type { SeededMergeRequests } from '../harness/merge-request-seed.ts';
import { rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result } from '../harness/scenario.ts';

const THREADS = 500;
const PER_PAGE = 20;
/** In each thread. */
const NOTES = 2;

/** Pages of threads on lines of a request with 1,000 notes, against pages of issues: by threads, and by notes. */
export async function discussionPages(
  { options }: Bench,
  product: MeasuredProcess,
  { gitDir, pairs, creating }: SeededMergeRequests,
) {
  const place = `/projects/${pairs.id}/merge_requests/1/discussions`;
  const connection = await Connection.open(product.port);
  const post = async (path: string, body: object) => {
    const reply = await connection.call(
      httpRequest('POST', `/api/v4${path}`, rootHeaders, JSON.stringify(body)),
    );
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.body}`);
    return JSON.parse(reply.body.toString()) as { id: string };
  };
  const [head, base, start] = ['topic-0', 'main', 'base-0'].map((name) => git(gitDir, ['rev-parse', name]));
  const refs = { head_sha: head, base_sha: base, start_sha: start };
  const position = { ...refs, position_type: 'text', new_path: 'src/file-0.txt', old_path: 'src/file-0.txt' };
  for (let at = 0; at < THREADS; at += 1) {
    const thread = { body: `Thread ${at}`, position: { ...position, new_line: 1 + (at % 50) } };
    const { id } = await post(place, thread);
    await post(`${place}/${id}/notes`, { body: `Answer ${at}` });
  }
  connection.close();
  let number = 0;
  const side = (path: string, size = PER_PAGE) => ({
    process: product,
    load: {
      status: 200,
      connections: 16,
      next: () => httpRequest('GET', `/api/v4${path}?per_page=${size}&n=${++number}`, rootHeaders),
    },
  });
  const { threads, notes, issues } = await compare(
    {
      threads: side(place),
      notes: side(place, PER_PAGE / NOTES),
      issues: side(`/projects/${creating.id}/issues`),
    },
    { ...options, by: 'cpu' },
  );
  const row = (what: string, over: Round[]) =>
    result(
      28,
      `a page of ${what}, against a page of 20 issues`,
      { atMost: 1 },
      ratios(over, issues, 'cpu'),
      `threads ${figures(over)}; issues ${figures(issues)}`,
    );
  return [row('20 threads of 500, 40 notes', threads), row('10 threads, 20 notes', notes)];
}
