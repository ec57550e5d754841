import { AccessLevel, type ParamsOf } from '@forgelog/contracts/endpoint.ts';
import type { createEpic, updateEpic } from '@forgelog/contracts/tracker/epics/epic.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import { type LabelWishes, labelsAfter, NO_WISHES } from '../labels/given-labels.rules.ts';
import { labelWishes } from '../labels/label.commands.ts';
import { type EpicCommand, epicDecider, epicStream } from './epic.decider.ts';
import { type EpicRow, epics } from './epics.projection.ts';

type Created = ParamsOf<typeof createEpic>;
type Updated = ParamsOf<typeof updateEpic>;

interface Opening extends Pick<ApiRequest<typeof createEpic>, 'group' | 'caller' | 'metadata'> {
  params: Pick<Created, 'title'> & Partial<Created>;
}

/** What callers do to epics. */
export function epicCommands(ports: ServicePorts) {
  const { commands, ids, readStore } = ports;
  const numbers = createProjectNumbers(readStore, epics, 'epic');

  const contentOf = (params: Partial<Omit<Updated, 'id' | 'epic_iid'>>) => ({
    description: params.description,
    confidential: params.confidential,
    startDate: params.start_date_fixed,
    startDateIsFixed: params.start_date_is_fixed,
    dueDate: params.due_date_fixed,
    dueDateIsFixed: params.due_date_is_fixed,
  });

  return {
    /** @returns its number */
    async create({ params, group, caller, metadata }: Opening): Promise<number> {
      const groupId = group.group.id;
      const given = contentOf(params);
      const content = {
        title: params.title,
        description: given.description ?? null,
        confidential: given.confidential ?? false,
        startDate: given.startDate ?? null,
        startDateIsFixed: given.startDateIsFixed ?? false,
        dueDate: given.dueDate ?? null,
        dueDateIsFixed: given.dueDateIsFixed ?? false,
      };
      const commandFor = (epicId: number, iid: number, wishes: LabelWishes): EpicCommand => ({
        ...{ type: 'OpenEpic', epicId, groupId, iid, authorId: caller.userId },
        content: { ...content, ...labelsAfter({ labelIds: [], labels: [] }, wishes) },
        createdAt: (group.level >= AccessLevel.owner && params.created_at) || null,
      });
      const refuse = (wishes: LabelWishes) =>
        epicDecider.decide(commandFor(0, 0, wishes), epicDecider.initialState);
      const labels = await labelWishes(
        ports,
        { place: { projectId: null, groupId }, confidential: content.confidential, target: null },
        { labels: params.labels },
        metadata,
        refuse,
      );
      // What is invalid takes no id.
      refuse(labels);
      const epicId = await ids.next('epic');
      return numbers.withNext(groupId, async (iid) => {
        const command = commandFor(epicId, iid, labels);
        await commands.handle(epicDecider, epicStream({ groupId, iid }), command, metadata, {
          mustBeNew: true,
        });
        return iid;
      });
    },

    /** One append. */
    async update(
      { params, group, metadata }: ApiRequest<typeof updateEpic>,
      { groupId, iid }: EpicRow,
      read: () => Promise<EpicRow>,
    ): Promise<void> {
      const stream = epicStream({ groupId, iid });
      const commandFor = (labels: LabelWishes): EpicCommand => ({
        ...{ type: 'UpdateEpic', groupId, iid, labels },
        changes: { title: params.title, ...contentOf(params) },
        stateEvent: params.state_event ?? null,
        updatedAt: (group.level >= AccessLevel.owner && params.updated_at) || null,
      });
      const asksLabels = params.labels ?? params.add_labels ?? params.remove_labels;
      const labels = asksLabels
        ? await labelWishes(
            ports,
            { place: { projectId: null, groupId }, confidential: params.confidential, target: read },
            params,
            metadata,
            async (wishes) => {
              const { state } = await commands.load(epicDecider, stream);
              epicDecider.decide(commandFor(wishes), state);
            },
          )
        : NO_WISHES;
      await commands.handle(epicDecider, stream, commandFor(labels), metadata);
    },

    async remove({ metadata }: Pick<ApiRequest, 'metadata'>, { groupId, iid }: EpicRow): Promise<void> {
      const command: EpicCommand = { type: 'DeleteEpic', groupId, iid };
      await commands.handle(epicDecider, epicStream(command), command, metadata);
    },
  };
}
