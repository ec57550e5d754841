import {
  getErrorTracking,
  updateErrorTracking,
} from '@forgelog/contracts/tracker/error-tracking/error-tracking.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { errorTrackingDecider, errorTrackingStream } from './error-tracking.decider.ts';
import { errorTracking } from './error-tracking.projection.ts';

export function errorTrackingRoutes({ commands, readStore }: ServicePorts): Implementation[] {
  async function answerOf(projectId: number) {
    const { active, integrated } = (await readStore.get(errorTracking, projectId)) ?? {
      ...{ active: false, integrated: false },
    };
    return value({ active, project_name: null, vendor_external_url: null, api_url: null, integrated });
  }

  return [
    implement(getErrorTracking, ({ project }) => answerOf(project.project.id)),

    implement(updateErrorTracking, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const { active, integrated } = params;
      const command = { type: 'ChangeErrorTracking' as const, projectId, changes: { active, integrated } };
      await commands.handle(errorTrackingDecider, errorTrackingStream(projectId), command, metadata);
      return answerOf(projectId);
    }),
  ];
}
