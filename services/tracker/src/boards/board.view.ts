import { boardListView, boardView } from '@forgelog/contracts/tracker/boards/board.api.ts';
import type { DirectoryNamespace, DirectoryProject } from '@forgelog/directory/collections.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import type { LabelRow } from '../labels/labels.projection.ts';
import type { BoardRow } from './boards.projection.ts';

export interface ShownList {
  id: number;
  label: LabelRow;
  position: number;
}

/** A board with its place and the labels of its lists as they are now. */
export interface ShownBoard extends BoardRow {
  project: DirectoryProject | undefined;
  group: DirectoryNamespace | undefined;
  lists: readonly ShownList[];
}

interface BoardRequest {
  host: string;
}

export const boardListJson = implementView(boardListView).from<ShownList>({
  id: given(({ id }: ShownList) => id),
  label: given(({ label: { id, title: name, color, description } }: ShownList) => ({
    ...{ id, name, color, description },
  })),
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
});
