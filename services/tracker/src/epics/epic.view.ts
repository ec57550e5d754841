import { epicView } from '@forgelog/contracts/tracker/epics/epic.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { choose, derived, host, text } from '@forgelog/service-kit/view-parts.ts';
import { namespacePath, user } from '@forgelog/service-kit/view-placeholders.ts';
import { labelsIn, type ShownLabels } from '../labels/shown-labels.ts';
import { daysOf } from './epic.decider.ts';
import type { EpicRow } from './epics.projection.ts';
import type { ParentEpics } from './parent-epics.query.ts';

export interface EpicRequest {
  labels: ShownLabels;
  /** Read among the epics of other groups: `references.relative` is then the full one. */
  across: boolean;
  parents: ParentEpics;
}

const parentOf = (place: number, parents: ParentEpics) => parents.get(place);

const shortReference = text`&${'iid'}`;
const fullReference = text`${namespacePath('groupId')}&${'iid'}`;
const group = text`${host}/api/v4/groups/${'groupId'}`;

const dueDate = derived(
  ['dueDate', 'dueDateIsFixed'],
  (dueDate: string | null, dueDateIsFixed: boolean) =>
    daysOf({ dueDate, dueDateIsFixed, startDate: null, startDateIsFixed: false }).last,
);

export const epicJson = implementView(epicView).from<EpicRow, EpicRequest>({
  id: 'id',
  iid: 'iid',
  group_id: 'groupId',
  parent_id: derived(
    ['place', 'parentId'],
    (place: number, _: number | null, { parents }: EpicRequest) => parentOf(place, parents)?.id ?? null,
  ),
  parent_iid: derived(
    ['place', 'parentId'],
    (place: number, _: number | null, { parents }: EpicRequest) => parentOf(place, parents)?.iid ?? null,
  ),
  title: 'title',
  description: 'description',
  state: derived(['state'], (state: string) => state as 'opened' | 'closed'),
  confidential: 'confidential',
  web_url: text`${host}/groups/${namespacePath('groupId')}/-/epics/${'iid'}`,
  reference: shortReference,
  references: {
    short: shortReference,
    relative: choose(({ across }: EpicRequest) => across, fullReference, shortReference),
    full: fullReference,
  },
  author: user('authorId'),
  start_date: derived(
    ['startDate', 'startDateIsFixed'],
    (startDate: string | null, startDateIsFixed: boolean) =>
      daysOf({ startDate, startDateIsFixed, dueDate: null, dueDateIsFixed: false }).first,
  ),
  start_date_is_fixed: 'startDateIsFixed',
  start_date_fixed: 'startDate',
  end_date: dueDate,
  due_date: dueDate,
  due_date_is_fixed: 'dueDateIsFixed',
  due_date_fixed: 'dueDate',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  closed_at: 'closedAt',
  labels: derived(['labelIds'], labelsIn),
  // Nobody can react to an epic.
  upvotes: 0,
  downvotes: 0,
  user_notes_count: 'notesCount',
  _links: { self: text`${host}/api/v4/groups/${'groupId'}/epics/${'iid'}`, group },
});
