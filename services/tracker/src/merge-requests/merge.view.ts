import { mergeRefView, rebaseProgressView } from '@forgelog/contracts/tracker/merge-requests/merge.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

export const rebaseProgressJson = implementView(rebaseProgressView).from<object>({
  rebase_in_progress: true,
});
export const mergeRefJson = implementView(mergeRefView).from<{ sha: string }>({ commit_id: 'sha' });
