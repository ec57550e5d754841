import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/**
 * A database name of a test's own on this server, as an address, and an end for it and for all whose names begin with
 * it and `_`. It is short: what a process adds to it must fit into 63 characters.
 */
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
