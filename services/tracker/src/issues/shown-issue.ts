import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { isSubscribed } from '../subscriptions/subscribed.ts';
import { singleIssueJson } from './issue.view.ts';
import { countClosers } from './issue-closers.query.ts';
import type { Issue } from './issues.collection.ts';

/** An issue by itself, as the caller sees it. */
export async function shownIssue(
  ports: ServicePorts,
  issue: Issue,
  caller: Principal | null,
): Promise<JsonTemplate> {
  const closers = await countClosers(ports, [issue], caller);
  const labels = await shownLabels(ports.readStore, [issue]);
  const asked = { across: false, ...labels, closers, subscribed: isSubscribed(issue, caller) };
  return singleIssueJson.renderer(ports).one(issue, asked);
}
