import { treeEntryView } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import type { TreeEntry } from '@forgelog/git/trees/tree-reader.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

export const treeEntryJson = implementView(treeEntryView).from<TreeEntry>({
  id: 'oid',
  name: 'name',
  type: 'type',
  path: 'path',
  mode: 'mode',
});
