import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { shownEpics } from '../epics/epics-of-issues.query.ts';
import { iterationsOfIssues } from '../iterations/iterations-of-issues.query.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { isSubscribed } from '../subscriptions/subscribed.ts';
import { singleIssueJson } from './issue.view.ts';
import { countClosers, mayHaveClosers, NO_CLOSERS } from './issue-closers.query.ts';
import type { Issue } from './issues.collection.ts';
import { NO_MOVES, readableMoves } from './readable-moves.query.ts';

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
  const closers = mayBeClosed ? await countClosers(ports, [issue], caller) : NO_CLOSERS;
  const found = shownLabels(ports.readStore, [issue]);
  const labels = found instanceof Promise ? await found : found;
  const moves = issue.movedToPlace === null ? NO_MOVES : await readableMoves(ports, [issue], caller);
  const epics = await shownEpics(ports, [issue], caller);
  const iterations = await iterationsOfIssues(ports, [issue]);
  const beside = { closers, moves, epics, iterations };
  const asked = { across: false, ...labels, ...beside, subscribed: isSubscribed(issue, caller) };
  return singleIssueJson.renderer(ports).one(issue, asked);
}
