import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const storageMoves: Part = {
  events: { StorageMoveScheduled: 1, StorageMoveAdvanced: 1, StorageMovesRequested: 1 },
  records: [
    defineRecords({
      kind: 'StorageMove',
      name: 'storage_moves',
      about:
        'Moves of projects, snippets and groups from one storage to another, as long as these are there.',
      key: ['storage_move_id'],
      columns: {
        storage_move_id: whole('moveId', 'Id of the move.'),
        kind: text('kind', '`project`, `snippet` or `group`.'),
        project_id: reference('projectId', 'Id of the project, or of that of the snippet; else null.'),
        snippet_id: reference('snippetId', 'Id of the snippet; null unless one is moved.'),
        group_id: reference('groupId', 'Id of the group; null unless one is moved.'),
        state: text('state', 'How far it is; `finished`, `failed` and `cleanup_failed` are the last ones.'),
        source_storage_name: text('source', 'Storage that it is moved from.'),
        destination_storage_name: text('destination', 'Storage that it is moved to.'),
        error_message: text('errorMessage', 'Why it failed; null unless it did.'),
      },
      compare: {
        select: 'SELECT * FROM storage_moves WHERE ended_at IS NULL',
        key: ['storage_move_id'],
        async *served(api) {
          for (const kind of ['project', 'snippet', 'group'])
            for await (const move of api.list(`/${kind}_repository_storage_moves`)) {
              const { id, state, source_storage_name, destination_storage_name } = move;
              yield { storage_move_id: id, kind, state, source_storage_name, destination_storage_name };
            }
        },
      },
    }),
  ],
};
