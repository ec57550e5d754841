import { type ActionContext, MERGE_REQUEST, type QuickAction } from './quick-action.ts';

const SCHEDULED = 'Scheduled to merge this merge request (Merge when pipeline succeeds).';
const DEVELOPER = 30;
const isOpen = ({ subject }: ActionContext) => subject.state === 'opened';

/** What becomes of a merge request; git and the rules of its project decide in the end. */
export const mergeActions: readonly QuickAction[] = [
  {
    names: ['approve'],
    on: MERGE_REQUEST,
    onNew: false,
    may: (context) => isOpen(context) && context.writer.level >= DEVELOPER,
    apply: () => ({
      told: 'Approved the current merge request.',
      done: (deeds) => deeds.approve(true),
      changes: {},
    }),
  },
  {
    names: ['unapprove'],
    on: MERGE_REQUEST,
    onNew: false,
    may: (context) => isOpen(context) && context.writer.level >= DEVELOPER,
    apply: () => ({
      told: 'Unapproved the current merge request.',
      done: (deeds) => deeds.approve(false),
      changes: {},
    }),
  },
  {
    names: ['rebase'],
    on: MERGE_REQUEST,
    onNew: false,
    may: isOpen,
    apply: ({ subject }) => ({
      told: `Rebased the branch ${subject.sourceBranch}.`,
      done: (deeds) => deeds.rebase(),
      changes: { rebase: true },
    }),
  },
  {
    names: ['merge'],
    on: MERGE_REQUEST,
    onNew: false,
    may: isOpen,
    apply: ({ subject }) => ({
      told: 'Merged this merge request.',
      done: async (deeds) => {
        const merge = await deeds.merge();
        return merge === 'scheduled' ? SCHEDULED : merge !== false;
      },
      changes: { merge: subject.sha! },
    }),
  },
];
