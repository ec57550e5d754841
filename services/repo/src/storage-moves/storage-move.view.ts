import {
  groupStorageMoveView,
  projectStorageMoveView,
  snippetStorageMoveView,
} from '@forgelog/contracts/repo/storage-moves/storage-move.api.ts';
import type { StorageMoveState } from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given, host, nested, text } from '@forgelog/service-kit/view-parts.ts';
import { projectFullName, projectPath } from '@forgelog/service-kit/view-placeholders.ts';
import type { ProjectDocument } from '../projects/project.collection.ts';
import { type ShownSnippet, snippetJson } from '../snippets/snippet.view.ts';
import type { StorageMoveRow } from './storage-moves.projection.ts';

const move = {
  id: 'id',
  created_at: 'createdAt',
  state: derived(['state'], (state: string) => state as StorageMoveState),
  source_storage_name: 'source',
  destination_storage_name: 'destination',
  error_message: 'errorMessage',
} as const;

export interface ShownProjectMove extends StorageMoveRow {
  project: ProjectDocument;
}

export const projectStorageMoveJson = implementView(projectStorageMoveView).from<ShownProjectMove>({
  ...move,
  project: {
    id: given(({ project }: ShownProjectMove) => project.id),
    description: given(({ project }: ShownProjectMove) => project.description),
    name: given(({ project }: ShownProjectMove) => project.name),
    name_with_namespace: text`${projectFullName('projectId')}`,
    path: given(({ project }: ShownProjectMove) => project.path),
    path_with_namespace: text`${projectPath('projectId')}`,
    created_at: given(({ project }: ShownProjectMove) => project.createdAt),
  },
});

export interface ShownSnippetMove extends StorageMoveRow {
  snippet: ShownSnippet;
}

export const snippetStorageMoveJson = implementView(snippetStorageMoveView).from<ShownSnippetMove>({
  ...move,
  snippet: nested(snippetJson, ({ snippet }: ShownSnippetMove) => snippet),
});

export interface ShownGroupMove extends StorageMoveRow {
  groupName: string;
  groupPath: string;
}

export const groupStorageMoveJson = implementView(groupStorageMoveView).from<ShownGroupMove>({
  ...move,
  group: {
    id: given(({ groupId }: ShownGroupMove) => groupId!),
    web_url: text`${host}/groups/${'groupPath'}`,
    name: 'groupName',
  },
});
