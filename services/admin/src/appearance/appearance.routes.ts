import { getAppearance, updateAppearance } from '@forgelog/contracts/admin/appearance/appearance.api.ts';
import { UNSHOWN_IMAGES, UNSHOWN_TEXTS } from '@forgelog/contracts/admin/appearance/appearance-fields.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { APPEARANCE_STREAM, appearanceDecider, type ChangeAppearance } from './appearance.decider.ts';

const UNSHOWN = [...UNSHOWN_TEXTS, ...UNSHOWN_IMAGES];

export function appearanceRoutes({ commands, directory }: ServicePorts): Implementation[] {
  const answer = async () =>
    value({
      ...(await directory.appearance()),
      ...Object.fromEntries(UNSHOWN_TEXTS.map((name) => [name, ''])),
      ...Object.fromEntries(UNSHOWN_IMAGES.map((name) => [name, null])),
    });

  return [
    implement(getAppearance, answer),

    implement(updateAppearance, async ({ params, metadata }) => {
      const command: ChangeAppearance = {
        type: 'ChangeAppearance',
        changes: {
          title: params.title,
          description: params.description,
          header_message: params.header_message,
          footer_message: params.footer_message,
          message_background_color: params.message_background_color,
          message_font_color: params.message_font_color,
          email_header_and_footer_enabled: params.email_header_and_footer_enabled,
        },
        // A client that gives back what it was answered changes nothing by it.
        unshown: UNSHOWN.filter((name) => Boolean(params[name])),
      };
      await commands.handle(appearanceDecider, APPEARANCE_STREAM, command, metadata);
      return answer();
    }),
  ];
}
