import type { Fields } from './published-event.ts';
import type { RestApi } from './rest-api.ts';

/** A record begins: `x-begins` of an event. */
export interface Beginning {
  kind: string;
  id: readonly string[];
  /** Field of the record → field of the event, where the names differ. */
  fields: Readonly<Record<string, string>>;
  fixed: Fields;
}

/** Records end: `x-ends` of an event. */
export interface Ending {
  kind: string;
  /** Field of the record → field of the event with the same value. */
  match: Readonly<Record<string, string>>;
  ofRecord: Fields;
  ofEvent: Fields;
}

/** What the server publishes about an event type. */
export interface EventRules {
  begins: readonly Beginning[];
  changes: readonly { kind: string; id: readonly string[] }[];
  ends: readonly Ending[];
}

/** The server's AsyncAPI document, as far as tables need it. */
export interface Contract {
  rules(type: string): EventRules;
  /** Whether the rule ends the one record that the event names, and not all that belong to something. */
  isOfOne(rule: Ending): boolean;
  /** Event types that end one record of the kind by its id. */
  endsOne(kind: string): readonly { type: string; ending: Ending }[];
  /** Rules by which records of the kind end with something else. */
  endsWith(kind: string): readonly { type: string; ending: Ending }[];
  /** Values that answers of the API show for settings of features that the server does not have. */
  notServed: Fields;
  /** The defaults of a field with settings, in the event that begins its record. */
  defaults(type: string, field: string): Fields;
}

const NO_RULES: EventRules = { begins: [], changes: [], ends: [] };

export async function fetchContract(api: RestApi): Promise<Contract> {
  return readContract(await api.get('/asyncapi.json'));
}

export function readContract(document: Fields): Contract {
  const messages = Object.entries<Fields>(document.components.messages);
  const rules = new Map(
    messages.map(([type, message]) => [
      type,
      {
        begins: message['x-begins'] ?? [],
        changes: message['x-changes'] ?? [],
        ends: message['x-ends'] ?? [],
      } as EventRules,
    ]),
  );
  const ids = new Map([...rules.values()].flatMap(({ begins }) => begins.map(({ kind, id }) => [kind, id])));
  const endings = [...rules].flatMap(([type, { ends }]) => ends.map((ending) => ({ type, ending })));
  const isOfOne = ({ kind, match }: Ending) =>
    (ids.get(kind) ?? []).every((field) => match[field] !== undefined);
  const byKind = ({ ending }: (typeof endings)[number]) => ending.kind;
  const endsOne = Map.groupBy(
    endings.filter(({ ending }) => isOfOne(ending)),
    byKind,
  );
  const endsWith = Map.groupBy(
    endings.filter(({ ending }) => !isOfOne(ending)),
    byKind,
  );
  return {
    rules: (type) => rules.get(type) ?? NO_RULES,
    isOfOne,
    notServed: document.info['x-not-served']?.settings ?? {},
    endsOne: (kind) => endsOne.get(kind) ?? [],
    endsWith: (kind) => endsWith.get(kind) ?? [],
    defaults: (type, field) => {
      const path = ['components', 'messages', type, 'payload', 'properties', 'data', 'properties', field];
      return defaultsOf(path.reduce((at, name) => resolved(document, at?.[name]), document));
    },
  };
}

/** The schema that a reference names; any other as it is. */
function resolved(document: Fields, schema: Fields | undefined): Fields {
  const path: string | undefined = schema?.$ref;
  if (path === undefined) return schema ?? {};
  return path
    .replace(/^#\//, '')
    .split('/')
    .reduce((at, name) => at?.[name], document);
}

function defaultsOf({ properties = {} }: Fields): Fields {
  const named = Object.entries<Fields>(properties).filter(([, { default: value }]) => value !== undefined);
  return Object.fromEntries(named.map(([name, { default: value }]) => [name, value]));
}
