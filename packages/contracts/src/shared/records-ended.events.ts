import { z } from 'zod';
import { defineEvent, type EventDefinition } from '../event.ts';
import examples from './records-ended.events.examples.json' with { type: 'json' };

/** The schema of an event that tells the numbers of what ended by rule. Each service counts its own kinds. */
const recordsEnded = <const Type extends keyof typeof examples>(type: Type, service: string) =>
  defineEvent({
    type,
    version: 2,
    description:
      'Records ended with what they belonged to, without events of their own; `causationid` names the event that ended them.',
    example: examples[type],
    subject: `${service}Ends-<ownerKind>-<ownerId>`,
    service,
    audit: 'part',
    activity: 'system',
    schema: z.object({
      ownerKind: z.string().describe('Kind of what they belonged to, such as `Project`.'),
      ownerId: z.int().describe('Id of what they belonged to.'),
      projectId: z
        .int()
        .nullable()
        .describe(
          'Id of the project that it is or was in; null for a user, and where version 1 cannot tell.',
        ),
      counts: z
        .record(z.string(), z.int().min(1))
        .describe('Number of the ended records by kind, such as `Issue`; kinds without any are left out.'),
    }),
    upcast: {
      1: (data: { ownerKind: string; ownerId: number }) => ({
        ...data,
        projectId: data.ownerKind === 'Project' ? data.ownerId : null,
      }),
    },
  });

export const RepoRecordsEnded = recordsEnded('RepoRecordsEnded', 'repo');
export const TrackerRecordsEnded = recordsEnded('TrackerRecordsEnded', 'tracker');
export const CiRecordsEnded = recordsEnded('CiRecordsEnded', 'ci');
export const AdminRecordsEnded = recordsEnded('AdminRecordsEnded', 'admin');

export type RecordsEnded =
  | typeof RepoRecordsEnded
  | typeof TrackerRecordsEnded
  | typeof CiRecordsEnded
  | typeof AdminRecordsEnded;

export const recordsEndedEvents: readonly EventDefinition[] = [
  RepoRecordsEnded,
  TrackerRecordsEnded,
  CiRecordsEnded,
  AdminRecordsEnded,
];
