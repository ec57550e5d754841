import type { Forgelog } from './forgelog.ts';

/** The body of an answer that must be a success. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
export async function must(call: ReturnType<Forgelog['call']>): Promise<any> {
  const reply = await call;
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}
