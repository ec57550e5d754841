import type { Fields } from './published-event.ts';
import { Refusal } from './refusal.ts';

/** The server's REST API, as its users have it. */
export interface RestApi {
  /** Where it is: `https://forgelog.example`. */
  server: string;
  headers: Readonly<Record<string, string>>;
  get(path: string): Promise<Fields>;
  /** Every item of a list, from all of its pages; nothing where the caller may not read it, or it is gone. */
  list(path: string, options?: { sudo?: number }): AsyncIterable<Fields>;
}

const PAGE = 100;
const NEXT = /<([^>]+)>;\s*rel="next"/;
/** A part that is switched off, or was deleted meanwhile. */
const NOT_THERE = [403, 404];

export function createRestApi(server: string, token: string): RestApi {
  const headers = { 'PRIVATE-TOKEN': token };
  const base = `${server.replace(/\/+$/, '')}/api/v4`;
  const ask = (address: string, more: Record<string, string> = {}) =>
    fetch(address, { headers: { ...headers, ...more } });
  return {
    server: base.replace(/\/api\/v4$/, ''),
    headers,
    async get(path) {
      const answer = await ask(`${base}${path}`);
      if (!answer.ok) throw await refused(answer);
      return (await answer.json()) as Fields;
    },
    async *list(path, { sudo } = {}) {
      let next: string | undefined = `${base}${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}`;
      while (next !== undefined) {
        const answer: Response = await ask(next, sudo === undefined ? {} : { Sudo: String(sudo) });
        if (NOT_THERE.includes(answer.status)) return;
        if (!answer.ok) throw await refused(answer);
        yield* (await answer.json()) as Fields[];
        const link = NEXT.exec(answer.headers.get('link') ?? '')?.[1];
        // The server names itself by its external address, which need not lead to it from here.
        next = link && `${base}${link.slice(link.indexOf('/api/v4') + '/api/v4'.length)}`;
      }
    },
  };
}

/** What to tell of an answer that is no success. */
export async function refused(answer: Response): Promise<Error> {
  const said = (await answer.text()).slice(0, 500);
  const message = `${new URL(answer.url).pathname} answered ${answer.status}: ${said}`;
  if (answer.status === 401 || answer.status === 403)
    return new Refusal(`${message}\nThe token must be an administrator's, with the scope api.`);
  return answer.status >= 500 || answer.status === 429 ? new Error(message) : new Refusal(message);
}
