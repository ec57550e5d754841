import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { unnamedWikiAttachmentSweeper } from './unnamed-wiki-attachments.worker.ts';
import { wikiAttachmentPolicies } from './wiki-attachment.policy.ts';
import { wikiAttachmentRoutes } from './wiki-attachment.routes.ts';
import { wikiAttachmentsProjection } from './wiki-attachments.projection.ts';

export const wikiAttachmentSlice = defineSlice<RepoPorts>({
  routes: [wikiAttachmentRoutes],
  projections: [wikiAttachmentsProjection],
  policies: [wikiAttachmentPolicies],
  workers: [unnamedWikiAttachmentSweeper],
});
