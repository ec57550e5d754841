import type { FieldType } from '../../read-store.ts';
import { PACKED, quote, type SqlValue, type Table, WORTH_PACKING } from './table.ts';

/** Fields of a collection as they are read. */
export interface Selection {
  columns: readonly string[];
  /** The index in a row of each field that is not packed. */
  places: ReadonlyMap<string, number>;
  decode(row: readonly SqlValue[]): Record<string, unknown>;
}

export class Selections {
  readonly #table: Table;
  readonly #byList = new WeakMap<readonly string[], Selection>();
  readonly #byColumns = new Map<string, Selection>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** @param fields best a constant, whose identity is a cache key */
  of(fields: readonly string[]): Selection {
    let selection = this.#byList.get(fields);
    if (!selection) {
      const id = fields.map(quote).join(', ');
      selection = this.#byColumns.get(id) ?? this.#select(fields);
      this.#byColumns.set(id, selection);
      this.#byList.set(fields, selection);
    }
    return selection;
  }

  #select(fields: readonly string[]): Selection {
    const table = this.#table;
    const packed = fields.filter((field) => table.packed.includes(field));
    const unpacks = packed.length >= WORTH_PACKING || !packed.every((field) => table.hasColumn(field));
    const own = unpacks ? fields.filter((field) => !packed.includes(field)) : fields;
    const columns = [...(unpacks ? [PACKED] : []), ...own.map(quote)];
    const places = new Map(own.map((field) => [field, columns.indexOf(quote(field))]));
    const values = fields.map((field) =>
      places.has(field)
        ? decoded(table.type(field), `row[${places.get(field)}]`)
        : `packed[${table.packed.indexOf(field)}]`,
    );
    return { columns, places, decode: decoder(fields, values, unpacks) };
  }
}

/** A document that gets its fields one by one takes three times as long. Names are checked by `checkDeclaration`. */
function decoder(
  fields: readonly string[],
  values: readonly string[],
  unpacks: boolean,
): Selection['decode'] {
  const members = fields.map((field, at) => `${field}: ${values[at]}`);
  const unpack = unpacks ? 'const packed = JSON.parse(row[0]);' : '';
  return new Function('row', `${unpack} return { ${members.join(', ')} };`) as Selection['decode'];
}

function decoded(type: FieldType, stored: string): string {
  switch (type) {
    case 'boolean':
      return `${stored} === null ? null : ${stored} === 1`;
    case 'integer[]':
    case 'text[]':
      return `${stored} === null ? null : ${stored} === '[]' ? [] : JSON.parse(${stored})`;
    case 'json':
      return `${stored} === null ? null : JSON.parse(${stored})`;
    default:
      return stored;
  }
}
