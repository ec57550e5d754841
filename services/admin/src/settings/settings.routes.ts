import { getSettings, updateSettings } from '@forgelog/contracts/admin/settings/settings.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { directorySettings } from '@forgelog/directory/settings.projection.ts';
import { initialSettings } from '@forgelog/directory/settings.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { SETTINGS_STREAM, type SettingsCommand, settingsDecider } from './settings.decider.ts';

export function settingsRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;

  async function answer() {
    const row = await readStore.get(directorySettings, 1);
    const { createdAt = null, updatedAt = null } = row ?? {};
    const times = { created_at: createdAt, updated_at: updatedAt };
    return value({ id: 1, ...times, ...initialSettings(ports), ...(row?.set as object | undefined) });
  }

  return [
    implement(getSettings, answer),

    implement(updateSettings, async ({ params, metadata }) => {
      const command = {
        type: 'ChangeSettings' as const,
        changes: params as SettingsCommand['changes'],
        initial: initialSettings(ports),
      };
      await commands.handle(settingsDecider, SETTINGS_STREAM, command, metadata);
      return answer();
    }),
  ];
}
