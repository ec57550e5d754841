import { groupLabelView, labelView } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { lineToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import { textColorOn } from './label-color.ts';
import type { LabelRow } from './labels.projection.ts';

export interface LabelRequest {
  /** null for an anonymous caller. */
  callerId: number | null;
}

export const descriptionHtml = (description: string | null): string => lineToHtml(description ?? '');

export const groupLabelJson = implementView(groupLabelView).from<LabelRow, LabelRequest>({
  id: 'id',
  name: 'title',
  color: 'color',
  text_color: derived(['color'], textColorOn),
  description: 'description',
  description_html: derived(['description'], descriptionHtml),
  subscribed: given(
    ({ subscriberIds }: LabelRow, { callerId }: LabelRequest) =>
      callerId !== null && subscriberIds.includes(callerId),
  ),
});

export const labelJson = implementView(labelView).from<LabelRow, LabelRequest>({
  ...groupLabelJson.members,
  priority: 'priority',
  is_project_label: derived(['projectId'], (projectId: number | null) => projectId !== null),
});
