import { badgePreviewView, badgeView } from '@forgelog/contracts/repo/badges/badge.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { BadgeRow } from './badges.projection.ts';

export type BadgeAddresses = Pick<BadgeRow, 'linkUrl' | 'imageUrl'>;
export type RenderedAddresses = BadgeAddresses & { renderedLinkUrl: string; renderedImageUrl: string };
type RenderedBadge = BadgeRow & RenderedAddresses & { kind: 'project' | 'group' };

export const badgePreviewJson = implementView(badgePreviewView).from<RenderedAddresses>({
  link_url: 'linkUrl',
  image_url: 'imageUrl',
  rendered_link_url: 'renderedLinkUrl',
  rendered_image_url: 'renderedImageUrl',
});

export const badgeJson = implementView(badgeView).from<RenderedBadge>({
  id: 'id',
  name: 'name',
  ...badgePreviewJson.members,
  kind: 'kind',
});
