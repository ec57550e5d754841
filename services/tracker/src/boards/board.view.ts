import { boardListView, boardView } from '@forgelog/contracts/tracker/boards/board.api.ts';
import type { iterationView } from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import type { DirectoryNamespace, DirectoryProject } from '@forgelog/directory/collections.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, ifTrue, tier } from '@forgelog/service-kit/view-optional.ts';
import { given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { firstUser, user } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import type { LabelRow } from '../labels/labels.projection.ts';
import { milestone } from '../milestones/milestone.placeholder.ts';
import type { BoardRow } from './boards.projection.ts';

/** A list with what it is of: a label, an iteration, or one of both ids. */
export interface ShownList {
  id: number;
  label?: LabelRow;
  iteration?: z.output<typeof iterationView>;
  isOfAssignee: boolean;
  assigneeId: number | null;
  isOfMilestone: boolean;
  milestoneId: number | null;
  position: number;
}

/** A board with its place and the labels of its lists as they are now. */
export interface ShownBoard extends BoardRow {
  project: DirectoryProject | undefined;
  group: DirectoryNamespace | undefined;
  lists: readonly ShownList[];
  /** The one that its issues have, or nobody. */
  assigneeIds: readonly number[];
  scopeLabels: readonly LabelRow[];
}

const labelJson = ({ id, title: name, color, description }: LabelRow) => ({ id, name, color, description });

interface BoardRequest {
  host: string;
}

export const boardListJson = implementView(boardListView).from<ShownList>({
  id: given(({ id }: ShownList) => id),
  label: ifGiven(({ label }: ShownList) => label && labelJson(label)),
  assignee: ifTrue('isOfAssignee', user('assigneeId')),
  iteration: ifGiven(({ iteration }: ShownList) => iteration),
  milestone: ifTrue('isOfMilestone', milestone('milestoneId')),
  position: given(({ position }: ShownList) => position),
});

export const boardJson = implementView(boardView).from<ShownBoard, BoardRequest>({
  id: 'id',
  name: 'name',
  hide_backlog_list: 'hideBacklogList',
  hide_closed_list: 'hideClosedList',
  project: ifGiven(({ project }: ShownBoard, { host }: BoardRequest) => {
    if (!project) return undefined;
    const { id, name, fullName, path, fullPath } = project;
    const address = `${host}/${fullPath}`;
    return {
      ...{ id, name, name_with_namespace: fullName, path, path_with_namespace: fullPath },
      ...{ http_url_to_repo: `${address}.git`, web_url: address },
    };
  }),
  group: ifGiven(({ group }: ShownBoard, { host }: BoardRequest) => {
    if (!group) return undefined;
    return { id: group.id, name: group.name, web_url: `${host}/groups/${group.fullPath}` };
  }),
  lists: nestedList(boardListJson, ({ lists }: ShownBoard) => lists),
  milestone: tier('premium', milestone('milestoneId')),
  assignee: tier('premium', firstUser('assigneeIds')),
  labels: tier(
    'premium',
    given(({ scopeLabels }: ShownBoard) => scopeLabels.map(labelJson)),
  ),
  weight: tier('premium', 'weight'),
});
