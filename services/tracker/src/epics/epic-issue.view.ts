import { epicIssueLinkView, epicIssueView } from '@forgelog/contracts/tracker/epics/epic-issue.api.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { made } from '@forgelog/service-kit/view-parts.ts';
import { type IssueRequest, issueJson } from '../issues/issue.view.ts';
import type { IssueDocument } from '../issues/issues.collection.ts';

export const epicIssueJson = implementView(epicIssueView).from<IssueDocument, IssueRequest>({
  ...issueJson.members,
  epic_issue_id: 'id',
});

export interface ShownEpicIssue {
  id: number;
  epic: JsonTemplate;
  issue: JsonTemplate;
}

export const epicIssueLinkJson = implementView(epicIssueLinkView).from<ShownEpicIssue>({
  id: 'id',
  epic: made(({ epic }: ShownEpicIssue) => epic),
  issue: made(({ issue }: ShownEpicIssue) => issue),
});
