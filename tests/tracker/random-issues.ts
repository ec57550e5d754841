import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { ISSUE_CLOSED } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { formerLabelId } from '@forgelog/contracts/tracker/labels/former-label-id.ts';

export interface ModelIssue {
  id: number;
  projectId: number;
  iid: number;
  stream: string;
  authorId: number;
  assigneeIds: number[];
  labels: string[];
  state: 'opened' | 'closed';
  issueType: 'issue' | 'incident' | 'test_case';
  confidential: boolean;
  title: string;
  description: string | null;
  dueDate: string | null;
  weight: number | null;
  createdAt: string;
  updatedAt: string;
  events: DomainEvent[];
}

/** A small generator of numbers below 1 that gives the same row for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Issues of every kind, with the events that make them; times repeat, so that ties have to be broken. */
export function randomIssues(
  count: number,
  world: { seed: number; today: string; projects: readonly number[]; users: readonly number[] },
): ModelIssue[] {
  const next = generator(world.seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const someOf = <T>(values: readonly T[], most: number) => [
    ...new Set(Array.from({ length: below(most + 1) }, () => oneOf(values))),
  ];
  const today = Date.parse(`${world.today}T00:00:00Z`);
  const day = (from: number, to: number) =>
    new Date(today + (from + below(to - from + 1)) * 86_400_000).toISOString();
  const words = ['alpha', 'Beta', 'gamma', '100%', 'alphabet', 'ÄTHER', '_', 'delta'];
  const numbers = new Map<number, number>();

  return Array.from({ length: count }, (_, at): ModelIssue => {
    const projectId = oneOf(world.projects);
    const iid = (numbers.get(projectId) ?? 0) + 1;
    numbers.set(projectId, iid);
    const issue = {
      id: 50_000 + at,
      projectId,
      iid,
      authorId: oneOf(world.users),
      assigneeIds: someOf(world.users, 3),
      labels: someOf(['bug', 'Bug', 'ui', 'a b', 'späße'], 3),
      issueType: oneOf(['issue', 'issue', 'incident', 'test_case'] as const),
      confidential: next() < 0.25,
      title: Array.from({ length: 1 + below(3) }, () => oneOf(words)).join(' '),
      description: next() < 0.3 ? null : Array.from({ length: below(4) }, () => oneOf(words)).join(' '),
      dueDate: next() < 0.4 ? null : day(-40, 60).slice(0, 10),
      weight: next() < 0.5 ? null : below(5),
      createdAt: day(-30, -1),
      updatedAt: day(-30, -1),
      state: oneOf(['opened', 'closed'] as const),
    };
    return { ...issue, stream: `issue-${projectId}-${iid}`, events: eventsOf(issue) };
  });
}

function eventsOf(issue: Omit<ModelIssue, 'stream' | 'events'>): DomainEvent[] {
  const { id: issueId, projectId, iid, state, updatedAt, ...content } = issue;
  const ids = { issueId, projectId, iid };
  const labelIds = content.labels.map((title) => formerLabelId(projectId, title));
  return [
    { type: 'IssueOpened', data: { ...ids, ...content, labelIds, milestoneId: null } },
    ...(state === 'closed'
      ? [{ type: 'IssueClosed', data: { ...ids, closedById: issue.authorId, ...ISSUE_CLOSED } }]
      : []),
    { type: 'IssueUpdated', data: { ...ids, changes: {}, previous: null, updatedAt } },
  ];
}
