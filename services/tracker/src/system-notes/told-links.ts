import type { EventOf } from '@forgelog/contracts/event.ts';
import type { IssueLinkEvent } from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import type { IssueCopied } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import type { TargetRef } from '../targets/target-ref.ts';
import { naming, sourceKey, type ToldNote } from './told-note.ts';

/** Each end of a link names the other one. */
export function toldLinks({ type, data }: Pick<IssueLinkEvent, 'type' | 'data'>) {
  const source: TargetRef = {
    type: 'Issue',
    ...{ id: data.sourceIssueId, projectId: data.sourceProjectId, iid: data.sourceIid },
  };
  const target: TargetRef = {
    type: 'Issue',
    ...{ id: data.targetIssueId, projectId: data.targetProjectId, iid: data.targetIid },
  };
  const isGone = type === 'IssueLinkDeleted';
  const blocks = data.linkType === 'blocks';
  const words = isGone
    ? (['removed the relation with', 'removed the relation with'] as const)
    : blocks
      ? (['marked this issue as blocking', 'marked this issue as blocked by'] as const)
      : (['marked this issue as related to', 'marked this issue as related to'] as const);
  const told: { target: TargetRef; note: ToldNote }[] = [
    { target: source, note: naming(words[0], sourceKey(target)) },
    { target, note: naming(words[1], sourceKey(source), 'otherEnd') },
  ];
  return told;
}

/** The one that was cloned goes on beside its clone. What was moved says so itself. */
export function toldOfClone({ data }: EventOf<typeof IssueCopied>) {
  if (data.reason !== 'cloned') return [];
  const target: TargetRef = {
    type: 'Issue',
    ...{ id: data.originIssueId, projectId: data.originProjectId, iid: data.originIid },
  };
  return [{ target, note: naming('cloned to', sourceKey({ ...data, type: 'Issue' })) }];
}
