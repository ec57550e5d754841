import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  groupMilestoneContents,
  projectMilestoneContents,
} from '@forgelog/contracts/tracker/milestones/milestone-content.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { issuesAcross, readableInProject } from '../issues/issue.access.ts';
import { issuePages } from '../issues/issue-page.query.ts';
import { mergeRequestsAcross } from '../merge-requests/merge-request.access.ts';
import { mergeRequestPages } from '../merge-requests/merge-request-page.query.ts';
import { burndownPages } from './burndown.ts';
import type { MilestonePlace } from './milestone.decider.ts';
import { idsStandingFor, ownMilestones } from './milestone.query.ts';
import { milestones } from './milestones.projection.ts';

const sort = [desc('createdAt')];

/** What milestones were given to, as far as the caller may see it. */
export function milestoneContentRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory } = ports;
  const pageOfIssues = issuePages(ports);
  const pageOfBurndown = burndownPages(ports);
  const pageOfMergeRequests = mergeRequestPages(ports);

  /** @throws record_not_found where the place has no such milestone */
  async function given(place: MilestonePlace, id: number): Promise<Condition> {
    const where = and(ownMilestones(place), eq('id', id));
    if ((await readStore.count(milestones, { where, atMost: 1 })) === 0)
      throw new Rejection('record_not_found');
    return oneOf('milestoneId', (await idsStandingFor(readStore, [id])).get(id)!);
  }

  const ofProject = ({ project, params }: ApiRequest): Promise<Condition> =>
    given({ projectId: project.project.id, groupId: null }, params.milestone_id as number);
  const ofGroup = ({ group, params }: ApiRequest): Promise<Condition> =>
    given({ projectId: null, groupId: group.group.id }, params.milestone_id as number);

  /** In the projects of the group, where the caller may see them. */
  async function acrossGroup<Request extends ApiRequest>(
    request: Request,
    across: typeof issuesAcross,
    pages: (request: Request, wanted: Parameters<typeof pageOfIssues>[1]) => Promise<Answer>,
  ): Promise<Answer> {
    const within = await directory.projectsBelow(request.group.group.id);
    const milestone = await ofGroup(request);
    const { where, counted } = await across(ports, request.principal, { archived: false, within });
    const wanted = { where: and(milestone, where), counted: and(milestone, counted) };
    return pages(request, { ...wanted, sort, across: true });
  }

  return [
    implement(projectMilestoneContents.issues, async (request) => {
      const where = and(await ofProject(request), readableInProject(request.project, request.principal));
      return pageOfIssues(request, { where, sort, across: false });
    }),
    implement(projectMilestoneContents.mergeRequests, async (request) => {
      const where = and(await ofProject(request), eq('projectId', request.project.project.id));
      return pageOfMergeRequests(request, { where, sort, across: false });
    }),
    implement(projectMilestoneContents.burndown, async (request) => {
      const { project, principal } = request;
      return pageOfBurndown(request, and(await ofProject(request), readableInProject(project, principal)));
    }),
    implement(groupMilestoneContents.burndown, (request) =>
      acrossGroup(request, issuesAcross, (asked, { where }) => pageOfBurndown(asked, where)),
    ),
    implement(groupMilestoneContents.issues, (request) => acrossGroup(request, issuesAcross, pageOfIssues)),
    implement(groupMilestoneContents.mergeRequests, (request) =>
      acrossGroup(request, mergeRequestsAcross, pageOfMergeRequests),
    ),
  ];
}
