import { asDraft, isDraft, withoutDraft } from '../merge-requests/draft-title.ts';
import { distinctLabels } from '../targets/target-content.rules.ts';
import type { QuickAction } from './quick-action.ts';
import { type ActionContext, BOTH, ISSUE, MERGE_REQUEST, mayEdit, mayPlan, nameOf } from './quick-action.ts';
import { dayOf, mediumDate } from './spoken-day.ts';

const LABEL = /~?"([^"]+)"|~?([^\s~",]+)/g;
const labelsIn = (argument: string) =>
  distinctLabels([...argument.matchAll(LABEL)].map(([, quoted, bare]) => (quoted ?? bare)!));
const labelText = (labels: readonly string[]) =>
  `${labels.map((label) => (/^[\w?.&-]+$/.test(label) ? `~${label}` : `~"${label}"`)).join(' ')} ${
    labels.length === 1 ? 'label' : 'labels'
  }`;

/** The title in `%1.0`, `%"1.0"` or `1.0`. */
export const milestoneIn = (argument: string): string =>
  argument.replace(/^%?"(.+)"$|^%(.+)$/, '$1$2').trim();

/** The title or the id in `*iteration:"Calm waters"` and `*iteration:12`. */
export const iterationIn = (argument: string): string =>
  /^\*iteration:(?:"([^"]+)"|([^"]+))$/.exec(argument)?.slice(1).find(Boolean)?.trim() ?? '';

const MOST_TITLE = 255;
const title = ({ subject, wishes }: ActionContext) => wishes.title ?? subject.title;

/** What people write, and how the target is marked. */
export const contentActions: readonly QuickAction[] = [
  {
    names: ['close'],
    on: BOTH,
    onNew: false,
    may: (context) => mayEdit(context) && context.subject.state === 'opened',
    apply({ subject, wishes }) {
      wishes.state_event = 'close';
      return `Closed this ${nameOf(subject)}.`;
    },
  },
  {
    names: ['reopen'],
    on: BOTH,
    onNew: false,
    may: (context) => mayEdit(context) && context.subject.state === 'closed',
    apply({ subject, wishes }) {
      wishes.state_event = 'reopen';
      return `Reopened this ${nameOf(subject)}.`;
    },
  },
  {
    names: ['title'],
    on: BOTH,
    onNew: true,
    may: mayEdit,
    apply({ wishes }, argument) {
      if (argument === '' || [...argument].length > MOST_TITLE) return null;
      wishes.title = argument;
      return `Changed the title to "${argument}".`;
    },
  },
  {
    names: ['draft'],
    on: MERGE_REQUEST,
    onNew: true,
    may: (context) => mayEdit(context) && !isDraft(title(context)),
    apply(context) {
      const draft = asDraft(title(context));
      if (draft.length > MOST_TITLE) return null;
      context.wishes.title = draft;
      return 'Marked this merge request as a draft.';
    },
  },
  {
    names: ['ready'],
    on: MERGE_REQUEST,
    onNew: true,
    may: (context) => mayEdit(context) && isDraft(title(context)),
    apply(context) {
      const ready = withoutDraft(title(context));
      if (ready === '') return null;
      context.wishes.title = ready;
      return 'Marked this merge request as ready.';
    },
  },
  {
    names: ['label', 'labels'],
    on: BOTH,
    onNew: true,
    may: mayPlan,
    apply({ wishes }, argument) {
      const labels = labelsIn(argument);
      if (labels.length === 0) return null;
      wishes.add_labels = distinctLabels([...(wishes.add_labels ?? []), ...labels]);
      wishes.remove_labels = wishes.remove_labels?.filter((label) => !labels.includes(label));
      return `Added ${labelText(labels)}.`;
    },
  },
  {
    names: ['unlabel', 'remove_label'],
    on: BOTH,
    onNew: false,
    may: (context) => mayPlan(context) && context.subject.labelIds.length > 0,
    apply({ wishes }, argument) {
      if (argument === '') {
        Object.assign(wishes, { labels: [], add_labels: [], remove_labels: [] });
        return 'Removed all labels.';
      }
      const labels = labelsIn(argument);
      if (labels.length === 0) return null;
      wishes.add_labels = wishes.add_labels?.filter((label) => !labels.includes(label));
      wishes.remove_labels = distinctLabels([...(wishes.remove_labels ?? []), ...labels]);
      return `Removed ${labelText(labels)}.`;
    },
  },
  {
    names: ['relabel'],
    on: BOTH,
    onNew: true,
    may: mayPlan,
    apply({ wishes }, argument) {
      const labels = labelsIn(argument);
      if (labels.length === 0) return null;
      Object.assign(wishes, { labels, add_labels: [], remove_labels: [] });
      return `Replaced all labels with ${labelText(labels)}.`;
    },
  },
  {
    names: ['milestone'],
    on: BOTH,
    onNew: true,
    takes: 'milestone',
    may: mayPlan,
    apply({ wishes, milestones }, argument) {
      const title = milestoneIn(argument);
      const id = milestones.get(title);
      if (id === undefined) return null;
      wishes.milestone_id = id;
      return `Set the milestone to %"${title}".`;
    },
  },
  {
    names: ['remove_milestone'],
    on: BOTH,
    onNew: false,
    may: (context) => mayPlan(context) && context.subject.milestoneId !== null,
    apply({ wishes }) {
      wishes.milestone_id = null;
      return 'Removed the milestone.';
    },
  },
  {
    names: ['iteration'],
    on: ISSUE,
    onNew: true,
    takes: 'iteration',
    may: (context) => mayPlan(context) && context.edition !== 'free',
    apply({ wishes, iterations }, argument) {
      const found = iterations.get(iterationIn(argument));
      if (!found) return null;
      wishes.iteration_id = found.id;
      return `Set the iteration to *iteration:${found.title === null ? found.id : `"${found.title}"`}.`;
    },
  },
  {
    names: ['remove_iteration'],
    on: ISSUE,
    onNew: false,
    may: (context) =>
      mayPlan(context) && context.edition !== 'free' && (context.subject.iterationId ?? null) !== null,
    apply({ wishes }) {
      wishes.iteration_id = null;
      return 'Removed the iteration.';
    },
  },
  {
    names: ['lock'],
    on: BOTH,
    onNew: false,
    may: (context) => mayPlan(context) && !context.subject.discussionLocked,
    apply({ wishes }) {
      wishes.discussion_locked = true;
      return 'Locked the discussion.';
    },
  },
  {
    names: ['unlock'],
    on: BOTH,
    onNew: false,
    may: (context) => mayPlan(context) && context.subject.discussionLocked,
    apply({ wishes }) {
      wishes.discussion_locked = false;
      return 'Unlocked the discussion.';
    },
  },
  {
    names: ['confidential'],
    on: ISSUE,
    onNew: true,
    may: (context) => (context.subject.isNew || mayPlan(context)) && !context.subject.confidential,
    apply({ wishes }) {
      wishes.confidential = true;
      return 'Made this issue confidential.';
    },
  },
  {
    names: ['due'],
    on: ISSUE,
    onNew: true,
    may: mayPlan,
    apply({ wishes, today }, argument) {
      const day = dayOf(argument, today);
      if (day === null) return null;
      wishes.due_date = day;
      return `Set the due date to ${mediumDate(day)}.`;
    },
  },
  {
    names: ['remove_due_date'],
    on: ISSUE,
    onNew: false,
    may: (context) => mayPlan(context) && context.subject.dueDate !== null,
    apply({ wishes }) {
      wishes.due_date = null;
      return 'Removed the due date.';
    },
  },
  {
    names: ['weight'],
    on: ISSUE,
    onNew: true,
    may: (context) => mayPlan(context) && context.edition !== 'free',
    apply({ wishes }, argument) {
      if (!/^\d{1,9}$/.test(argument)) return null;
      wishes.weight = Number(argument);
      return `Set weight to ${wishes.weight}.`;
    },
  },
  {
    names: ['clear_weight'],
    on: ISSUE,
    onNew: false,
    may: (context) => mayPlan(context) && context.edition !== 'free' && context.subject.weight !== null,
    apply({ wishes }) {
      wishes.weight = null;
      return 'Cleared weight.';
    },
  },
  {
    names: ['target_branch'],
    on: MERGE_REQUEST,
    onNew: true,
    takes: 'branch',
    may: (context) => mayEdit(context) && context.subject.state !== 'merged',
    apply({ subject, wishes, branches }, argument) {
      const isSource = subject.projectId === subject.sourceProjectId && subject.sourceBranch === argument;
      if (isSource || !branches.has(argument)) return null;
      wishes.target_branch = argument;
      return `Set target branch to ${argument}.`;
    },
  },
];
