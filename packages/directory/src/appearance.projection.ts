import {
  type AppearanceEvent,
  appearanceEvents,
} from '@forgelog/contracts/admin/appearance/appearance.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';

/** What was ever set of the appearance. Every process keeps it, because several show it. */
export const directoryAppearance = defineCollection({
  name: 'directory_appearance',
  key: 'id',
  fields: {
    id: 'integer',
    /** Values by name. */
    set: 'json',
  },
  indexes: [],
});

export const directoryAppearanceProjection = defineProjection<AppearanceEvent>({
  name: 'directory-appearance',
  collections: [directoryAppearance],
  handles: appearanceEvents.map(({ type }) => type),
  async project(event, documents) {
    const { appearanceId: id } = event.data;
    if (event.type === 'AppearanceCreated') {
      const { appearanceId: _, ...set } = event.data;
      return documents.put(directoryAppearance, { id, set });
    }
    const row = await documents.get(directoryAppearance, id);
    if (row)
      documents.put(directoryAppearance, { id, set: { ...(row.set as object), ...event.data.changes } });
  },
});
