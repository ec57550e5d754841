import { type SettingsEvent, settingsEvents } from '@forgelog/contracts/admin/settings/settings.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { defineCollection } from '@forgelog/eventing/read-store.ts';

/** Settings of the instance that were ever set. Every process keeps them, because any may act on one. */
export const directorySettings = defineCollection({
  name: 'directory_settings',
  key: 'id',
  fields: {
    id: 'integer',
    /** Values by name. */
    set: 'json',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [],
});

export const directorySettingsProjection = defineProjection<SettingsEvent>({
  name: 'directory-settings',
  collections: [directorySettings],
  handles: settingsEvents.map(({ type }) => type),
  async project(event, documents) {
    const { time: updatedAt } = event;
    const { settingsId: id } = event.data;
    if (event.type === 'SettingsCreated') {
      const { settingsId: _, ...set } = event.data;
      return documents.put(directorySettings, { id, set, createdAt: updatedAt, updatedAt });
    }
    const row = await documents.get(directorySettings, id);
    if (!row) return;
    const set = { ...(row.set as object), ...event.data.changes };
    documents.put(directorySettings, { ...row, set, updatedAt });
  },
});
