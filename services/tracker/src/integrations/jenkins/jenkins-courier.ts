import { EVENT_NAMES, type Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { Posted } from '../../web-hooks/guarded-post.ts';
import type { Courier, HookBody } from '../courier.ts';
import type { IntegrationSender } from '../integration-sender.ts';
import type { IntegrationRow } from '../integrations.projection.ts';
import { textOf } from '../wanted-message.rules.ts';

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  push: 'push_events',
  tag_push: 'tag_push_events',
  merge_request: 'merge_requests_events',
};

/** Tells a project of Jenkins, whose plugin reads what hooks are told. */
export function createJenkinsCourier(sender: IntegrationSender): Courier {
  return {
    ...{ isOurs: false, takesEdits: true },
    async tell(row, { eventId, bodies, done }, signal) {
      let sent: Posted | undefined;
      for (const body of bodies) {
        const trigger = TRIGGERS[body.object_kind];
        const part = partOf(body);
        if (trigger === undefined || done.has(part)) continue;
        sent = await sender.post(
          () => ({
            url: projectUrl(row),
            headers: {
              'x-gitlab-event': EVENT_NAMES[trigger],
              'x-gitlab-event-uuid': eventId,
              ...sender.authorizationOf(row),
            },
            body: Buffer.from(JSON.stringify(body)),
          }),
          signal,
        );
        if (!sent.delivered) return sent;
        done.set(part, true);
      }
      return sent;
    },
    close: () => {},
  };
}

const partOf = (body: HookBody): string =>
  body.object_kind === 'merge_request' ? `!${body.object_attributes.id}` : String(body.ref);

/** Projects in folders are named by their path. */
function projectUrl(row: IntegrationRow): string {
  const base = textOf(row, 'jenkins_url').replace(/\/+$/, '');
  return `${base}/project/${textOf(row, 'project_name').split('/').map(encodeURIComponent).join('/')}`;
}
