import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface JiraIssue {
  status: string;
  comments: string[];
  links: Map<string, { object: { url: string; title: string; status: { resolved: boolean } } }>;
}

export interface Jira {
  url: string;
  issues: Record<string, JiraIssue>;
  /** Statuses that the next requests get in place of an answer; 0 for an answer. */
  failing: number[];
  requests: string[];
}

/** By status, where each transition leads to. */
const WORKFLOW: Record<string, Record<string, string>> = {
  Open: { 11: 'In progress' },
  'In progress': { 31: 'Done' },
  Done: {},
};

/** Issues with comments, links and transitions, as version 2 of Jira's REST API has them, until the test ends. */
export async function startJira(keys: readonly string[], account: string): Promise<Jira> {
  const jira: Jira = { url: '', issues: {}, failing: [], requests: [] };
  for (const key of keys) jira.issues[key] = { status: 'Open', comments: [], links: new Map() };
  const authorization = `Basic ${Buffer.from(account).toString('base64')}`;

  function answer(method: string, address: string, text: string, signedIn: boolean): [number, object?] {
    jira.requests.push(`${method} ${address}`);
    const failure = jira.failing.shift();
    if (failure) return [failure, {}];
    if (!signedIn) return [401, {}];
    const { pathname, searchParams } = new URL(address, 'http://jira');
    const [, key = '', what] = /^\/base\/rest\/api\/2\/issue\/([A-Z0-9_]+-\d+)\/(\w+)$/.exec(pathname) ?? [];
    const issue = jira.issues[key];
    if (!issue)
      return [404, { errorMessages: ['Issue does not exist or you do not have permission to see it.'] }];
    if (method === 'GET' && what === 'remotelink') {
      const link = issue.links.get(searchParams.get('globalId') ?? '');
      return link ? [200, link] : [404, { errorMessages: ['The remote link does not exist.'] }];
    }
    const body = JSON.parse(text);
    if (what === 'comment' && typeof body.body === 'string')
      return [201, { id: issue.comments.push(body.body) }];
    if (what === 'remotelink' && body.object?.url && body.object.title.length <= 255) {
      const isNew = !issue.links.has(body.globalId);
      issue.links.set(body.globalId, body);
      return [isNew ? 201 : 200, { id: issue.links.size }];
    }
    const next = what === 'transitions' ? WORKFLOW[issue.status]![body.transition?.id] : undefined;
    if (next === undefined) return [400, { errorMessages: ['It is not possible.'] }];
    issue.status = next;
    return [204];
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const signedIn = request.headers.authorization === authorization;
      const [status, body] = answer(request.method!, request.url!, text, signedIn);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body ? JSON.stringify(body) : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jira.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return jira;
}
