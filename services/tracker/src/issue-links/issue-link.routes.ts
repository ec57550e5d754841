import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIssueLink,
  deleteIssueLink,
  listIssueLinks,
  MOST_LINKS,
} from '@forgelog/contracts/tracker/issue-links/issue-link.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { REPORTER, readableIssue } from '../issues/issue.access.ts';
import { issueJson } from '../issues/issue.view.ts';
import type { Issue } from '../issues/issues.collection.ts';
import { shownBeside } from '../issues/shown-beside.query.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { type IssueLink, issueLinkDecider, issueLinkStream } from './issue-link.decider.ts';
import { endsOf, issueLinkJson, linkedIssueJson } from './issue-link.view.ts';
import { endOf, type IssueLinkRow, issueLinks } from './issue-links.projection.ts';

export function issueLinkRoutes(ports: ServicePorts): Implementation[] {
  const { commands, configuration, directory, ids, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const [view, linked, issueView] = [
    issueLinkJson.renderer(ports),
    linkedIssueJson.renderer(ports),
    issueJson.renderer(ports),
  ];

  async function own({ project, principal, params }: ApiRequest): Promise<Issue> {
    const issue = await readableIssue(readStore, project, principal, params.issue_iid as number);
    if (!issue) throw new Rejection('record_not_found');
    return issue;
  }

  /** An issue of any project with the caller's rights there; undefined where they may not see it. */
  async function anywhere(project: number | string, iid: number, principal: Principal | null) {
    const grant = await authorizer.project(String(project), principal);
    if (!grant?.can('issues')) return undefined;
    const issue = await readableIssue(readStore, grant, principal, iid);
    return issue && { issue, mayLink: grant.level >= REPORTER && grant.project.readOnly === null };
  }

  const asked = async (rows: readonly Issue[], principal: Principal | null) => ({
    across: true,
    ...(await shownLabels(readStore, rows)),
    ...(await shownBeside(ports, rows, principal)),
  });

  async function answerOf(
    { id, linkType }: Pick<IssueLinkRow, 'id' | 'linkType'>,
    { source, target }: { source: Issue; target: Issue },
    principal: Principal,
    status = 200,
  ) {
    const request = await asked([source, target], principal);
    const shown = { source: issueView.one(source, request), target: issueView.one(target, request) };
    return json(view.one({ id, linkType, ...shown }), { status });
  }

  async function requireRoom(...issues: readonly Issue[]): Promise<void> {
    for (const { id } of issues)
      if ((await readStore.count(issueLinks, { where: endOf(id), atMost: MOST_LINKS })) >= MOST_LINKS)
        throw new Rejection('bad_request', { reason: `An issue has ${MOST_LINKS} links at most` });
  }

  return [
    implement(listIssueLinks, async (request) => {
      const { principal } = request;
      const issue = await own(request);
      const rows = await readStore.find(issueLinks, {
        where: endOf(issue.id),
        sort: [asc('createdAt')],
        limit: MOST_LINKS,
      });
      const found = await Promise.all(
        rows.map(async (link) => {
          const { other } = endsOf(link, issue);
          const there = await anywhere(other.projectId, other.iid, principal);
          return there && { link, issue: there.issue };
        }),
      );
      const readable = found.filter((one) => one !== undefined);
      const issues = readable.map(({ issue }) => issue);
      const links = new Map(readable.map(({ link, issue }) => [issue.id, link]));
      return json(linked.list(issues, { ...(await asked(issues, principal)), links }));
    }),

    implement(createIssueLink, async (request) => {
      const { params, caller, metadata } = request;
      const { target_project_id: project, target_issue_iid: iid, link_type: type } = params;
      const from = await own(request);
      const there = await anywhere(project, iid, caller);
      if (!there) throw new Rejection('record_not_found');
      if (!there.mayLink) throw new Rejection('forbidden', {});
      if (type !== 'relates_to' && configuration.EDITION === 'free')
        throw new Rejection('forbidden', {
          reason: `link_type=${type} is there from the premium edition on`,
        });
      const isTurned = type === 'is_blocked_by';
      const [source, target] = isTurned ? [there.issue, from] : [from, there.issue];
      const linkFor = (issueLinkId: number): IssueLink => ({
        issueLinkId,
        ...{ sourceIssueId: source.id, sourceProjectId: source.projectId, sourceIid: source.iid },
        ...{ targetIssueId: target.id, targetProjectId: target.projectId, targetIid: target.iid },
        linkType: type === 'relates_to' ? type : 'blocks',
      });
      const stream = issueLinkStream(source.id, target.id);
      // What is refused takes no id.
      const { state } = await commands.load(issueLinkDecider, stream);
      issueLinkDecider.decide({ type: 'LinkIssues', ...linkFor(0) }, state);
      await requireRoom(source, target);
      const id = await ids.next('issueLink');
      const link = linkFor(id);
      await commands.handle(issueLinkDecider, stream, { type: 'LinkIssues', ...link }, metadata);
      return answerOf({ id, linkType: link.linkType }, { source, target }, caller, 201);
    }),

    implement(deleteIssueLink, async (request) => {
      const { params, caller, metadata } = request;
      const issue = await own(request);
      const where = and(eq('id', params.issue_link_id), endOf(issue.id));
      const [link] = await readStore.find(issueLinks, { where, limit: 1 });
      const { other } = link ? endsOf(link, issue) : { other: undefined };
      const there = other && (await anywhere(other.projectId, other.iid, caller));
      if (!link || !there) throw new Rejection('not_found', { what: 'Issue Link' });
      if (!there.mayLink) throw new Rejection('forbidden', {});
      const isSource = link.sourceIssueId === issue.id;
      const [source, target] = isSource ? [issue, there.issue] : [there.issue, issue];
      const command = { type: 'UnlinkIssues', issueLinkId: link.id } as const;
      await commands.handle(issueLinkDecider, issueLinkStream(source.id, target.id), command, metadata);
      return answerOf(link, { source, target }, caller);
    }),
  ];
}
