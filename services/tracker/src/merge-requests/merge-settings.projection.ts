import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import {
  type DocumentOf,
  defineCollection,
  endsWith,
  type ReadStore,
} from '@forgelog/eventing/read-store.ts';

/** Settings of projects that merge requests go by. */
export const mergeSettings = defineCollection({
  name: 'merge_settings',
  key: 'projectId',
  fields: {
    projectId: 'integer',
    /** `merge`, `rebase_merge` or `ff`. */
    method: 'text',
    /** `never`, `always`, `default_on` or `default_off`. */
    squash: 'text',
    approvals: 'integer',
    /** Whether an author may approve, whether committers may not, and whether a push takes approvals back. */
    authorApproves: 'boolean',
    committersAbstain: 'boolean',
    resetsApprovals: 'boolean',
    /** Whether no merge request has approval rules of its own. */
    fixesApprovalRules: 'boolean',
    /** Whether merging waits for all discussions. */
    waitsForDiscussions: 'boolean',
    /** Whether merging waits for the pipeline of the newest commit, and whether a skipped one will do. */
    waitsForPipeline: 'boolean',
    takesSkippedPipeline: 'boolean',
    /** Whether merging closes the issues that a merge request names. */
    closesIssues: 'boolean',
    /** Template for the message of commits that apply suggestions; null for the usual one. */
    suggestionMessage: 'text?',
    /** Messages of the commits of a merge, with variables; null for the usual ones. */
    mergeTemplate: 'text?',
    squashTemplate: 'text?',
  },
  indexes: [],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type MergeSettings = DocumentOf<typeof mergeSettings>;

const DEFAULTS = {
  method: 'merge',
  squash: 'default_off',
  approvals: 0,
  authorApproves: false,
  committersAbstain: false,
  resetsApprovals: true,
  fixesApprovalRules: false,
  waitsForDiscussions: false,
  waitsForPipeline: false,
  takesSkippedPipeline: false,
  closesIssues: true,
  suggestionMessage: null,
  mergeTemplate: null,
  squashTemplate: null,
};

type Told = Partial<{
  merge_method: string;
  squash_option: string;
  approvals_before_merge: number;
  merge_requests_author_approval: boolean;
  merge_requests_disable_committers_approval: boolean;
  reset_approvals_on_push: boolean;
  disable_overriding_approvers_per_merge_request: boolean;
  only_allow_merge_if_all_discussions_are_resolved: boolean;
  only_allow_merge_if_pipeline_succeeds: boolean;
  allow_merge_on_skipped_pipeline: boolean | null;
  autoclose_referenced_issues: boolean;
  suggestion_commit_message: string | null;
  merge_commit_template: string | null;
  squash_commit_template: string | null;
}>;

export const mergeSettingsProjection = defineProjection<ProjectEvent>({
  name: 'merge-settings',
  collections: [mergeSettings],
  handles: ['ProjectCreated', 'ProjectUpdated'],
  async project(event, documents) {
    if (event.type !== 'ProjectCreated' && event.type !== 'ProjectUpdated') return;
    const { projectId } = event.data;
    const settings = event.type === 'ProjectCreated' ? event.data.settings : event.data.changes.settings;
    const before = await documents.get(mergeSettings, projectId);
    if (event.type === 'ProjectUpdated' && (!before || !settings)) return;
    const present = before ?? { projectId, ...DEFAULTS };
    documents.put(mergeSettings, { ...present, ...fieldsOf((settings ?? {}) as Told) });
  },
});

/** Only what was told. */
function fieldsOf({
  merge_method: method,
  squash_option: squash,
  approvals_before_merge: approvals,
  merge_requests_author_approval: authorApproves,
  merge_requests_disable_committers_approval: committersAbstain,
  reset_approvals_on_push: resetsApprovals,
  disable_overriding_approvers_per_merge_request: fixesApprovalRules,
  only_allow_merge_if_all_discussions_are_resolved: waitsForDiscussions,
  only_allow_merge_if_pipeline_succeeds: waitsForPipeline,
  allow_merge_on_skipped_pipeline: takesSkippedPipeline,
  autoclose_referenced_issues: closesIssues,
  suggestion_commit_message: suggestionMessage,
  merge_commit_template: mergeTemplate,
  squash_commit_template: squashTemplate,
}: Told): Partial<MergeSettings> {
  return {
    ...(method !== undefined && { method }),
    ...(squash !== undefined && { squash }),
    ...(approvals !== undefined && { approvals }),
    ...(authorApproves !== undefined && { authorApproves }),
    ...(committersAbstain !== undefined && { committersAbstain }),
    ...(resetsApprovals !== undefined && { resetsApprovals }),
    ...(fixesApprovalRules !== undefined && { fixesApprovalRules }),
    ...(waitsForDiscussions !== undefined && { waitsForDiscussions }),
    ...(waitsForPipeline !== undefined && { waitsForPipeline }),
    ...(takesSkippedPipeline !== undefined && { takesSkippedPipeline: takesSkippedPipeline ?? false }),
    ...(closesIssues !== undefined && { closesIssues }),
    ...(suggestionMessage !== undefined && { suggestionMessage }),
    ...(mergeTemplate !== undefined && { mergeTemplate }),
    ...(squashTemplate !== undefined && { squashTemplate }),
  };
}

/** Whether commits are squashed: the project's option decides where it leaves no choice, and where nothing is wanted. */
export function squashOf({ squash }: MergeSettings, wanted: boolean | undefined): boolean {
  if (squash === 'always' || squash === 'never') return squash === 'always';
  return wanted ?? squash === 'default_on';
}

export const mergeSettingsOf = async (readStore: ReadStore, projectId: number): Promise<MergeSettings> =>
  (await readStore.get(mergeSettings, projectId)) ?? { projectId, ...DEFAULTS };
