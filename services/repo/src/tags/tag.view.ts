import { tagView } from '@forgelog/contracts/repo/tags/tag.api.ts';
import type { TagInfo } from '@forgelog/git/repository-reads.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, nested } from '@forgelog/service-kit/view-parts.ts';
import { commitJson, type ShownCommit } from '../commits/commit.view.ts';

export interface ShownTag extends TagInfo {
  commit: ShownCommit | undefined;
  release: { tag_name: string; description: string | null } | null;
  protected: boolean;
}

export const tagJson = implementView(tagView).from<ShownTag>({
  name: 'name',
  message: given(({ annotation }: ShownTag) => (annotation?.message ?? '').replace(/\n+$/, '')),
  target: 'oid',
  commit: nested(commitJson, ({ commit }: ShownTag) => commit),
  release: given(({ release }: ShownTag) => release),
  protected: 'protected',
});
