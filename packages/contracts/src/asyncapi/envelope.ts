import type { JsonSchema } from '../params.ts';
import { PERSONAL } from '../personal-data.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });

/** The attributes of every event; `data` depends on the type. */
export const ENVELOPE: JsonSchema = {
  title: 'Envelope',
  type: 'object',
  properties: {
    specversion: { const: '1.0', description: 'Version of CloudEvents.' },
    id: { type: 'string', format: 'uuid', description: 'The same however often the event arrives.' },
    source: text(
      'The log, named by the id of its first event, and the service: `/forgelog/<log>/<service>`.',
    ),
    type: text('The event type.'),
    subject: text('The stream: what the event happened to.'),
    time: { type: 'string', format: 'date-time', description: 'When it was recorded, in UTC.' },
    datacontenttype: { const: 'application/json', description: 'The form of the data.' },
    dataschema: {
      type: 'string',
      format: 'uri',
      description: 'Where the schema of the data is, in the version of the data.',
    },
    position: text('Place in the log: later events have greater ones, compared as text.'),
    epoch: text('The log between two restores: each restore begins a greater one, compared as text.'),
    revision: whole('Place in the stream, from 0 on without gap.'),
    schemaversion: whole('Version of the data.'),
    actorid: whole('Id of the user who did it; absent where the system did.'),
    onbehalfby: whole('Id of the administrator who acted as that user.'),
    credentialkind: text('What the caller authenticated with.'),
    credentialid: whole('Id of the credential, where it has one.'),
    clientaddress: { ...text('Address that the request came from.'), [PERSONAL]: true },
    useragent: { ...text('What the client said that it is.'), [PERSONAL]: true },
    requestid: text('The request, as in the header `X-Request-Id` of its answer.'),
    causationid: text('Id of the event that this one follows from.'),
    traceparent: text('W3C trace context of the request that caused it, where the instance traces.'),
  },
  required: [
    'specversion',
    'id',
    'source',
    'type',
    'subject',
    'time',
    'datacontenttype',
    'dataschema',
    'position',
    'epoch',
    'revision',
    'schemaversion',
  ],
};
