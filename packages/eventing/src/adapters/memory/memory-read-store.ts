import { checkCondition, checkDeclaration, checkQuery, fieldType } from '../../collection-checks.ts';
import { copyDocument } from '../../document.ts';
import { BEGINNING, type Position } from '../../event.ts';
import { compareBy, isAfter, matches, pick } from '../../query-evaluation.ts';
import {
  type AnyCollection,
  type Change,
  isLasting,
  type NormalDocument,
  type ReadStore,
  type ReadStoreCandidate,
  UniqueViolationError,
  type WriteBatch,
} from '../../read-store.ts';

interface Stored {
  document: NormalDocument;
  position: Position;
}

interface Contents {
  /** `shape` is the declaration as text; `fresh` marks a collection that still needs a reset. */
  collections: Map<string, { shape: string; fresh: boolean; documents: Map<string | number, Stored> }>;
  checkpoints: Map<string, Position>;
}

/** Read models in maps, with a scan per query. Slow and simple: it is the reference model for the database adapters. */
export function openMemoryReadStore(): ReadStore {
  return over({ contents: { collections: new Map(), checkpoints: new Map() } }, new Map());
}

function over(place: { contents: Contents }, lasting: Map<string, Position>): ReadStore {
  const checkpointsOf = (name: string) => (isLasting(name) ? lasting : place.contents.checkpoints);
  const documentsOf = (collection: AnyCollection) => {
    const held = place.contents.collections.get(collection.name);
    if (!held) throw new Error(`collection ${collection.name} is not declared`);
    return held.documents;
  };

  function apply(change: Change, documents: Map<string | number, Stored>): void {
    const stored = documents.get(change.key);
    if (stored && stored.position >= change.position) return;
    if (change.kind === 'delete') documents.delete(change.key);
    else documents.set(change.key, { document: change.document, position: change.position });
  }

  const store: ReadStore = {
    async declare(collections) {
      for (const collection of collections) {
        checkDeclaration(collection);
        const shape = JSON.stringify([collection.key, collection.fields, [...collection.nullable]]);
        if (place.contents.collections.get(collection.name)?.shape !== shape)
          place.contents.collections.set(collection.name, { shape, fresh: true, documents: new Map() });
      }
      const names = collections.map((collection) => collection.name);
      return { reset: names.filter((name) => place.contents.collections.get(name)?.fresh) };
    },

    async reset(collections, checkpoints) {
      for (const collection of collections) {
        const held = place.contents.collections.get(collection.name);
        if (held)
          place.contents.collections.set(collection.name, { ...held, fresh: false, documents: new Map() });
      }
      for (const name of checkpoints) checkpointsOf(name).delete(name);
    },

    async get(collection, key) {
      const stored = documentsOf(collection).get(key);
      return stored && (copyDocument(stored.document) as never);
    },

    async entry(collection, key) {
      const stored = documentsOf(collection).get(key);
      return stored && { document: copyDocument(stored.document) as never, position: stored.position };
    },

    async getFields(collection, key, fields) {
      for (const field of fields) fieldType(collection, field);
      const stored = documentsOf(collection).get(key);
      return stored && (pick(copyDocument(stored.document), fields) as never);
    },

    async find(collection, query) {
      const sort = checkQuery(collection, query as never);
      const { where, after, offset = 0 } = query;
      return [...documentsOf(collection).values()]
        .map((stored) => stored.document)
        .filter((document) => !where || matches(where, document))
        .filter((document) => !after || isAfter(document, sort, after))
        .sort(compareBy(sort))
        .slice(offset, offset + query.limit)
        .map((document) => pick(copyDocument(document), query.select) as never);
    },

    async count(collection, { where, atMost }) {
      if (where) checkCondition(collection, where);
      const all = [...documentsOf(collection).values()];
      return Math.min(atMost, all.filter(({ document }) => !where || matches(where, document)).length);
    },

    checkpoint: async (projection) => checkpointsOf(projection).get(projection) ?? BEGINNING,

    async write({ changes, checkpoints }: WriteBatch) {
      const written = new Map<AnyCollection, Map<string | number, Stored>>();
      for (const change of changes) {
        let documents = written.get(change.collection);
        if (!documents) {
          documents = new Map(documentsOf(change.collection));
          written.set(change.collection, documents);
        }
        apply(change, documents);
      }
      for (const [collection, documents] of written) checkUnique(collection, documents);
      for (const [collection, documents] of written) {
        const held = place.contents.collections.get(collection.name);
        if (held) place.contents.collections.set(collection.name, { ...held, documents });
      }
      for (const [name, position] of checkpoints) checkpointsOf(name).set(name, position);
    },

    async beside(): Promise<ReadStoreCandidate> {
      const other = { contents: { collections: new Map(), checkpoints: new Map() } as Contents };
      return {
        ...over(other, lasting),
        async swap() {
          place.contents = other.contents;
        },
        async discard() {},
      };
    },

    async close() {},
  };
  return store;
}

function checkUnique(collection: AnyCollection, documents: Map<string | number, Stored>): void {
  for (const fields of collection.unique ?? []) {
    const seen = new Set<string>();
    for (const { document } of documents.values()) {
      const values = fields.map((field) => document[field.replace(/^-/, '')]);
      if (values.includes(null)) continue;
      const tuple = JSON.stringify(values);
      if (seen.has(tuple))
        throw new UniqueViolationError(`${collection.name}(${fields.join(', ')}) ${tuple}`);
      seen.add(tuple);
    }
  }
}
