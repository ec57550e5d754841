import {
  createAccessLevelView,
  protectedTagView,
} from '@forgelog/contracts/repo/protected-tags/protected-tag.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { LEVEL_NAMES } from '../refs/level-names.ts';
import type { ProtectedTagRow } from './protected-tags.projection.ts';

const levelJson = implementView(createAccessLevelView).from<ProtectedTagRow>({
  access_level: 'createAccessLevel',
  access_level_description: derived(['createAccessLevel'], (level: number) => LEVEL_NAMES[level]!),
});

export const protectedTagJson = implementView(protectedTagView).from<ProtectedTagRow>({
  name: 'name',
  create_access_levels: nestedList(levelJson, (row: ProtectedTagRow) => [row]),
});
