import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIterationCadence,
  deleteIterationCadence,
  getIterationCadence,
  listIterationCadences,
  updateIterationCadence,
} from '@forgelog/contracts/tracker/iterations/iteration-cadence.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { handleScheduling } from './iteration.commands.ts';
import { iterationDecider, iterationsStream } from './iteration.decider.ts';
import { iterationCadenceJson } from './iteration.view.ts';
import { type IterationCadenceRow, iterationCadences } from './iterations.projection.ts';

export function iterationCadenceRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = iterationCadenceJson.renderer(ports);

  async function own(groupId: number, id: number): Promise<IterationCadenceRow> {
    const row = await readStore.get(iterationCadences, id);
    if (row?.groupId !== groupId) throw new Rejection('record_not_found');
    return row;
  }

  return [
    implement(listIterationCadences, async ({ group, page }) => {
      const { documents, next } = await pageOf(readStore, iterationCadences, {
        ...{ where: eq('groupId', group.group.id), sort: [asc('title')], page },
      });
      return { kind: 'list', items: view.list(documents), next };
    }),

    implement(getIterationCadence, async ({ group, params }) =>
      json(view.one(await own(group.group.id, params.cadence_id))),
    ),

    implement(createIterationCadence, async ({ group, params, metadata }) => {
      const { title, description = null, start_date: startDate = null } = params;
      const { duration_in_weeks: durationInWeeks = null, automatic, active, roll_over: rollOver } = params;
      const { iterations_in_advance: iterationsInAdvance = null } = params;
      const groupId = group.group.id;
      const commandFor = (cadenceId: number) =>
        ({
          type: 'CreateCadence',
          ...{ groupId, cadenceId, today: today(ports) },
          attributes: {
            ...{ title, description, startDate, durationInWeeks, iterationsInAdvance },
            ...{ automatic, active, rollOver },
          },
        }) as const;
      // What is refused takes no id.
      const { state } = await commands.load(iterationDecider, iterationsStream(groupId));
      iterationDecider.decide({ ...commandFor(0), iterationIds: [] }, state);
      const id = await ids.next('iterationCadence');
      await handleScheduling(ports, commandFor(id), metadata);
      return json(view.one(await own(groupId, id)), { status: 201 });
    }),

    implement(updateIterationCadence, async ({ group, params, metadata }) => {
      const { cadence_id: cadenceId, title, description, start_date: startDate, automatic, active } = params;
      const { duration_in_weeks: durationInWeeks, roll_over: rollOver } = params;
      const { iterations_in_advance: iterationsInAdvance } = params;
      const groupId = group.group.id;
      await own(groupId, cadenceId);
      const changes = {
        ...{ title, description, startDate, durationInWeeks, iterationsInAdvance },
        ...{ automatic, active, rollOver },
      };
      const command = { type: 'UpdateCadence', groupId, cadenceId, changes, today: today(ports) } as const;
      await handleScheduling(ports, command, metadata);
      return json(view.one(await own(groupId, cadenceId)));
    }),

    implement(deleteIterationCadence, async ({ group, params, metadata }) => {
      const [groupId, cadenceId] = [group.group.id, params.cadence_id];
      const command = { type: 'DeleteCadence', groupId, cadenceId } as const;
      await commands.handle(iterationDecider, iterationsStream(groupId), command, metadata);
      return noContent();
    }),
  ];
}
