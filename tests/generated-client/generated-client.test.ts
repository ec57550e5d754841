import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';
import { compile, generatedFolder } from './compiled.ts';

/** What somebody writes who has generated types from the document. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const [baseUrl, token, id] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl, headers: { 'PRIVATE-TOKEN': token } });
const { data, error } = await client.POST('/projects/{id}/issues', {
  params: { path: { id } },
  body: { title: 'Typed', labels: ['generated'], assignee_ids: [], due_date: '2030-01-31' },
});
if (!data) throw new Error(JSON.stringify(error));
const author: components['schemas']['User'] = data.author;
const listed = await client.GET('/projects/{id}/issues', {
  params: { path: { id }, query: { state: 'opened', 'labels[]': ['generated'] } },
});
console.log(JSON.stringify([data.title, author.username, listed.data?.map(({ iid }) => iid)]));
`;

/** What must not compile: a word that is none, a parameter that is missing, and a field that no answer has. */
const MISTAKES = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const client = createClient<paths>({});
client.GET('/issues', { params: { query: { state: 'ajar' } } });
client.POST('/projects/{id}/issues', { params: { path: { id: 1 } }, body: { description: 'no title' } });
export const wrong = (issue: components['schemas']['Issue']) => issue.no_such_field;
`;

// The compiler takes seconds, and longer on a busy machine.
test('a client of types that openapi-typescript generates compiles, and calls an instance', {
  timeout: 180_000,
}, async () => {
  const forgelog = await forgelogForTest();
  const { body: document } = await forgelog.get('/openapi.json', { token: null });
  const project = (await forgelog.post('/projects', { name: 'typed' })).body;
  const folder = await generatedFolder({
    'api.ts': astToString(await openapiTS(document)),
    'client.ts': CLIENT,
    'mistakes.ts': MISTAKES,
  });

  expect(compile(folder, ['client.ts', 'mistakes.ts'])).toEqual([
    expect.stringMatching(/mistakes.ts .*"ajar"/),
    expect.stringMatching(/mistakes.ts .*Property 'title' is missing/),
    expect.stringMatching(/mistakes.ts .*'no_such_field' does not exist/),
  ]);

  const address = document.servers[0].url;
  const printed = await run(join(folder, 'client.ts'), [address, forgelog.rootToken, String(project.id)]);
  expect(JSON.parse(printed)).toEqual(['Typed', 'root', [1]]);
});

async function run(file: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return output;
}
