import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { isSubscribed } from '../subscriptions/subscribed.ts';
import { singleIssueJson } from './issue.view.ts';
import type { Issue } from './issues.collection.ts';

/** An issue by itself, as the caller sees it. */
export const shownIssue = (ports: ServicePorts, issue: Issue, caller: Principal | null): JsonTemplate =>
  singleIssueJson
    .renderer(ports)
    .one(issue, { across: false, labelDetails: false, subscribed: isSubscribed(issue, caller) });
