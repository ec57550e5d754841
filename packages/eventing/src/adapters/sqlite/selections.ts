import type { FieldType } from '../../read-store.ts';
import { quote, type SqlValue, type Table } from './table.ts';

/** Fields of a collection as they are read. */
export interface Selection {
  columns: string;
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
      const columns = fields.map(quote).join(', ');
      selection = this.#byColumns.get(columns) ?? { columns, decode: this.#decoder(fields) };
      this.#byColumns.set(columns, selection);
      this.#byList.set(fields, selection);
    }
    return selection;
  }

  /** A document that gets its fields one by one takes three times as long. Names are checked by `checkDeclaration`. */
  #decoder(fields: readonly string[]): Selection['decode'] {
    const members = fields.map((field, at) => `${field}: ${decoded(this.#table.type(field), `row[${at}]`)}`);
    return new Function('row', `return { ${members.join(', ')} };`) as Selection['decode'];
  }
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
