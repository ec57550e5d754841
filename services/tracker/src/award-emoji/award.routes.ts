import { Rejection } from '@forgelog/contracts/errors.ts';
import type { AwardEndpoints } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requireNote } from '../discussions/note.access.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { Target, TargetKind } from '../targets/target.ts';
import { emojiNamed } from './award.commands.ts';
import { awardDecider, awardStream } from './award.decider.ts';
import { awardJson } from './award.view.ts';
import { awards } from './awards.collection.ts';

const NAME = /^[a-z0-9_+-]+$/;

/** Reactions to the targets of one kind, or to the notes on them: a path with `:note_id` means those. */
export function awardRoutes(
  ports: ServicePorts,
  kind: TargetKind,
  endpoints: AwardEndpoints,
): Implementation[] {
  const { readStore, commands, ids } = ports;
  const view = awardJson.renderer(ports);

  /** What the path names, which the caller may see. */
  async function awardableOf(request: ApiRequest): Promise<{ target: Target; noteId: number | null }> {
    const target = await requireTarget(kind, ports, request);
    const { note_id: noteId } = request.params as { note_id?: number };
    if (noteId === undefined) return { target, noteId: null };
    const note = await requireNote(ports, target, noteId, request.principal);
    if (note.system) throw new Rejection('record_not_found');
    return { target, noteId };
  }

  async function requireAward({ target, noteId }: { target: Target; noteId: number | null }, id: number) {
    const award = await readStore.get(awards, id);
    if (!award || award.target !== target.key || award.noteId !== noteId)
      throw new Rejection('record_not_found');
    return award;
  }

  return [
    implement(endpoints.list, async (request) => {
      const { target, noteId } = await awardableOf(request);
      const { documents, next } = await pageOf(readStore, awards, {
        where: and(eq('target', target.key), eq('noteId', noteId)),
        sort: [asc('id')],
        page: request.page,
      });
      return { kind: 'list', items: view.list(documents), next };
    }),

    implement(endpoints.get, async (request) =>
      json(view.one(await requireAward(await awardableOf(request), request.params.award_id))),
    ),

    implement(endpoints.create, async (request) => {
      const on = await awardableOf(request);
      const { name: given } = request.params;
      if (!NAME.test(given))
        throw new Rejection('not_found', { what: 'Award Emoji Name is not a valid emoji name' });
      const { userId } = request.caller;
      const awardId = await ids.next('award');
      const name = emojiNamed(given);
      await commands.handle(
        awardDecider,
        awardStream(on.target, userId),
        { type: 'AwardEmoji', on: on.target, userId, awardId, noteId: on.noteId, name },
        request.metadata,
      );
      return json(view.one(await requireAward(on, awardId)));
    }),

    implement(endpoints.delete, async (request) => {
      const on = await awardableOf(request);
      const { id: awardId, authorId: userId } = await requireAward(on, request.params.award_id);
      if (userId !== request.caller.userId && !request.caller.isAdmin) throw new Rejection('forbidden', {});
      await commands.handle(
        awardDecider,
        awardStream(on.target, userId),
        { type: 'WithdrawEmoji', on: on.target, userId, awardId },
        request.metadata,
      );
      return noContent();
    }),
  ];
}
