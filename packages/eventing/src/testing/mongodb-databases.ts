import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A test's own database. Its name is short: processes extend it to `<name>_…`, and MongoDB allows 63 characters. */
export function ownDatabases(server: string): { url: string; drop(): Promise<void> } {
  const name = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const url = server.replace(/^([^/]+\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
  return {
    url,
    async drop() {
      const client = await MongoClient.connect(url);
      try {
        const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
        for (const database of databases)
          if (database.name === name || database.name.startsWith(`${name}_`))
            await client.db(database.name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}
