import { issueLinkView, linkedIssueView } from '@forgelog/contracts/tracker/issue-links/issue-link.api.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given, made } from '@forgelog/service-kit/view-parts.ts';
import { type IssueRequest, issueJson } from '../issues/issue.view.ts';
import type { Issue, IssueDocument } from '../issues/issues.collection.ts';
import type { IssueLinkRow } from './issue-links.projection.ts';

interface LinkedRequest extends IssueRequest {
  /** By id of the issue that is shown. */
  links: ReadonlyMap<number, IssueLinkRow>;
}

const linkOf = ({ id }: IssueDocument, { links }: LinkedRequest) => links.get(id!)!;
const linkedAt = given((issue: IssueDocument, request: LinkedRequest) => linkOf(issue, request).createdAt);

/** What the issue that is asked about has to do with the one that is shown. */
const word = (issue: IssueDocument, request: LinkedRequest) => {
  const { linkType, sourceIssueId } = linkOf(issue, request);
  if (linkType === 'relates_to') return 'relates_to' as const;
  return sourceIssueId === issue.id ? ('is_blocked_by' as const) : ('blocks' as const);
};

export const linkedIssueJson = implementView(linkedIssueView).from<IssueDocument, LinkedRequest>({
  ...issueJson.members,
  issue_link_id: given((issue: IssueDocument, request: LinkedRequest) => linkOf(issue, request).id),
  link_type: given(word),
  link_created_at: linkedAt,
  link_updated_at: linkedAt,
});

/** A link with both issues, as the caller sees them. */
export interface ShownLink extends Pick<IssueLinkRow, 'id' | 'linkType'> {
  source: JsonTemplate;
  target: JsonTemplate;
}

export const issueLinkJson = implementView(issueLinkView).from<ShownLink>({
  id: 'id',
  source_issue: made(({ source }: ShownLink) => source),
  target_issue: made(({ target }: ShownLink) => target),
  link_type: derived(['linkType'], (type: string) => type as 'relates_to' | 'blocks'),
});

/** The two ends of a link, whichever is asked about. */
export const endsOf = (
  { sourceProjectId, sourceIid, targetProjectId, targetIid }: IssueLinkRow,
  { projectId, iid }: Pick<Issue, 'projectId' | 'iid'>,
) => {
  const source = { projectId: sourceProjectId, iid: sourceIid };
  const target = { projectId: targetProjectId, iid: targetIid };
  return source.projectId === projectId && source.iid === iid
    ? { own: source, other: target }
    : { own: target, other: source };
};
