import { type HookFacts, STATE_IDS } from './hook-facts.ts';

interface Changed {
  changes?: Readonly<Record<string, unknown>>;
  previous?: Readonly<Record<string, unknown>> | null;
}

/** Members of messages by fields of events; those that are no members are left out. */
const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  labelIds: 'labels',
  assigneeIds: 'assignees',
  reviewerIds: 'reviewers',
  milestoneId: 'milestone_id',
  dueDate: 'due_date',
  weight: 'weight',
  confidential: 'confidential',
  discussionLocked: 'discussion_locked',
  issueType: 'issue_type',
  targetBranch: 'target_branch',
  timeEstimate: 'time_estimate',
  timeSpent: 'total_time_spent',
  state: 'state_id',
};

/** What an event says has changed, with the values before and after. */
export async function targetChanges(facts: HookFacts, { changes = {}, previous }: Changed) {
  async function shown(field: string, value: unknown): Promise<unknown> {
    if (value === undefined) return null;
    if (field === 'labelIds') return facts.labels(value as number[]);
    if (field === 'assigneeIds' || field === 'reviewerIds') return facts.users(value as number[]);
    if (field === 'state') return STATE_IDS[value as string] ?? null;
    return value;
  }
  const told: Record<string, { previous: unknown; current: unknown }> = {};
  for (const [field, value] of Object.entries(changes)) {
    const name = NAMES[field];
    if (name === undefined) continue;
    told[name] = { previous: await shown(field, previous?.[field]), current: await shown(field, value) };
  }
  return told;
}
