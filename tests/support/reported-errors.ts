import type { Forgelog } from './forgelog.ts';
import { must } from './must.ts';

type Caller = Pick<Forgelog, 'call' | 'get' | 'post'>;

/** The key by which programs report to a project, which takes errors from then on. */
export async function clientKeyOf({ call, get, post }: Caller, project: string): Promise<string> {
  const settings = { active: true, integrated: true };
  await must(call('PATCH', `${project}/error_tracking/settings`, { json: settings }));
  const keys = `${project}/error_tracking/client_keys`;
  const [key = await must(post(keys))] = await must(get(keys));
  return key.public_key;
}

/** A report of an error of its own, as SDKs of Sentry write it. */
export const errorEvent = (message: string) => ({
  event_id: '3f1d8c0be7a94c52a6d0918b2f47c6e1',
  fingerprint: [message],
  exception: { values: [{ type: 'TypeError', value: message }] },
});

/** Reports an error for each message to `/projects/<id>`. */
export async function reportErrors(caller: Caller, project: string, ...messages: string[]): Promise<void> {
  const key = await clientKeyOf(caller, project);
  const at = `/error_tracking/collector/api/${project.split('/').at(-1)}/store?sentry_key=${key}`;
  for (const message of messages) await must(caller.post(at, errorEvent(message)));
}
