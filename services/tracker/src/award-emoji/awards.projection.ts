import {
  type AwardEmojiEvent,
  awardEmojiEvents,
} from '@forgelog/contracts/tracker/award-emoji/award-emoji.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets } from '../targets/target-readers.projection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { awards } from './awards.collection.ts';

export const awardsProjection = (kinds: readonly TargetKind[]) =>
  defineProjection<AwardEmojiEvent>({
    name: 'awards',
    collections: [awards],
    handles: awardEmojiEvents.map(({ type }) => type),
    endings: endingWithTargets(kinds, awards, (target) => eq('target', targetKey(target))),
    async project({ type, data, time }, documents) {
      const { awardId: id, projectId, targetType, targetId, noteId, userId, emoji: name } = data;
      if (type === 'EmojiWithdrawn') return documents.delete(awards, id);
      documents.put(awards, {
        ...{ id, projectId, targetType, noteId, name },
        authorId: userId,
        target: targetKey({ type: targetType, id: targetId }),
        awardableId: noteId ?? targetId,
        awardableType: noteId === null ? targetType : 'Note',
        createdAt: time,
      });
    },
  });
