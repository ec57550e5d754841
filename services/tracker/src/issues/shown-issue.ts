import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { isSubscribed } from '../subscriptions/subscribed.ts';
import { singleIssueJson } from './issue.view.ts';
import { mayHaveClosers, NO_CLOSERS } from './issue-closers.query.ts';
import type { Issue } from './issues.collection.ts';
import { shownBeside } from './shown-beside.query.ts';

/**
 * An issue by itself, as the caller sees it.
 * @param project the issue's, where it is at hand: this spares the usual issue the search for what closes it
 */
export async function shownIssue(
  ports: ServicePorts,
  issue: Issue,
  caller: Principal | null,
  project?: ProjectSummary,
): Promise<JsonTemplate> {
  const mayBeClosed = !project || mayHaveClosers(ports.readStore, project);
  const found = shownLabels(ports.readStore, [issue]);
  const labels = found instanceof Promise ? await found : found;
  const beside = await shownBeside(ports, [issue], caller, mayBeClosed ? undefined : NO_CLOSERS);
  const asked = { across: false, ...labels, ...beside, subscribed: isSubscribed(issue, caller) };
  return singleIssueJson.renderer(ports).one(issue, asked);
}
