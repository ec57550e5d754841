import { changelogSectionView } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

export const changelogSectionJson = implementView(changelogSectionView).from<{ text: string }>({
  notes: 'text',
});
