import type { LabelEvent } from '@forgelog/contracts/tracker/labels/label.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { labelDecider } from './label.decider.ts';

const place = { projectId: 7, groupId: null };
const look = { color: '#d9534f', description: null, priority: null, confidential: false };
const created = (labelId: number, title: string): LabelEvent => ({
  type: 'LabelCreated',
  data: { labelId, ...place, title, ...look },
});
const create = (labelId: number, title: string) =>
  ({ type: 'CreateLabel', labelId, ...place, title, ...look }) as const;

test('titles are unique in a place, and free again after a deletion or a rename', () => {
  const bug = created(1, 'bug');
  given(labelDecider, bug).when(create(2, ' bug ')).thenRejected('conflict');
  const deleted: LabelEvent = { type: 'LabelDeleted', data: { labelId: 1, ...place, replacedById: null } };
  given(labelDecider, bug, deleted).when(create(2, 'bug')).thenEvents(created(2, 'bug'));
  const change = { changes: { title: 'defect' }, previous: { title: 'bug' } };
  const renamed: LabelEvent = { type: 'LabelUpdated', data: { labelId: 1, ...place, ...change } };
  given(labelDecider, bug, renamed).when(create(2, 'bug')).thenEvents(created(2, 'bug'));
});

test('of several labels those are created that the place lacks', () => {
  const labels = [1, 2, 3].map((labelId) => ({ labelId, title: `l${labelId}`, ...look }));
  given(labelDecider, created(9, 'l2'))
    .when({ type: 'EnsureLabels', ...place, labels })
    .thenEvents(created(1, 'l1'), created(3, 'l3'));
});

test('a place has 10,000 labels at most', () => {
  const full = Array.from({ length: 10_000 }, (_, at) => created(at + 1, `l${at}`));
  given(labelDecider, ...full)
    .when(create(10_001, 'one more'))
    .thenRejected('validation_failed', { message: { labels: ['are too many (maximum is 10000)'] } });
});

test('a label that is not there cannot be changed', () => {
  const command = { labelId: 1, ...place };
  given(labelDecider)
    .when({ type: 'UpdateLabel', ...command, changes: {} })
    .thenRejected('not_found');
  given(labelDecider)
    .when({ type: 'SubscribeToLabel', ...command, userId: 1 })
    .thenRejected('not_found');
});

test('labels of confidential issues are opened once', () => {
  const hidden = created(1, 'hidden');
  const secret = { ...hidden, data: { ...hidden.data, confidential: true } } as LabelEvent;
  const change = { changes: { confidential: false }, previous: { confidential: true } };
  given(labelDecider, secret, created(2, 'open'))
    .when({ type: 'OpenLabels', ...place, labelIds: [1, 2, 3] })
    .thenEvents({ type: 'LabelUpdated', data: { labelId: 1, ...place, ...change } });
});
