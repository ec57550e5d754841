import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

// The requests that python-gitlab sends, old (2.10) and new, spelled as it spells them.
let forgelog: Forgelog;
let project: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  project = `/projects/${(await forgelog.post('/projects', { name: 'py' })).body.id}`;
  for (let at = 1; at <= 5; at += 1) {
    await forgelog.post(`${project}/issues`, { title: `Issue ${at}`, labels: 'a,b' });
  }
});
afterAll(() => forgelog.stop());

test('2.10 follows a next link by adding the parameters that it holds once more', async () => {
  const held = '&per_page=2&labels=a%2Cb&with_labels_details=False';
  let path: string | undefined = `${project}/issues?${held.slice(1)}`;
  const iids: number[] = [];
  while (path) {
    const page = await forgelog.get(path);
    expect(page.status).toBe(200);
    iids.push(...page.body.map(({ iid }: { iid: number }) => iid));
    expect(page.headers.get('link')!.match(/per_page=/g)!.length).toBe(
      page.headers.get('link')!.match(/rel=/g)!.length,
    );
    const next = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    path = next && `${next}${held}`;
  }
  expect(iids).toEqual([5, 4, 3, 2, 1]);
});
