import { broadcastMessageView } from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import type { BroadcastMessageRow } from './broadcast-messages.projection.ts';

export const broadcastMessageJson = implementView(broadcastMessageView).from<
  BroadcastMessageRow,
  { now: string }
>({
  id: 'id',
  message: 'message',
  starts_at: 'startsAt',
  ends_at: 'endsAt',
  color: 'color',
  font: 'font',
  target_path: 'targetPath',
  broadcast_type: derived(['broadcastType'], (type: string) => type as 'banner' | 'notification'),
  dismissable: 'dismissable',
  active: given(
    ({ startsAt, endsAt }: BroadcastMessageRow, { now }: { now: string }) => startsAt <= now && now < endsAt,
  ),
});
