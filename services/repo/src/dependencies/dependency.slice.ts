import { defineSlice, type Slice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { type AdvisoryDatabase, createAdvisoryDatabase } from './advisory-database.ts';
import { dependencyRoutes } from './dependency.routes.ts';
import { createDependencyLists } from './dependency-lists.ts';

export function dependencySlice(): Slice<RepoPorts> {
  const lists = createDependencyLists();
  const databases = new WeakMap<RepoPorts, AdvisoryDatabase>();
  function advisoriesOf(ports: RepoPorts): AdvisoryDatabase {
    const { configuration, log, clock } = ports;
    const { EDITION, VULNERABILITY_DATABASE: brought } = configuration;
    // Other editions show no dependencies.
    const folder = EDITION === 'ultimate' ? brought : undefined;
    const database = databases.get(ports) ?? createAdvisoryDatabase({ folder, log, clock });
    databases.set(ports, database);
    return database;
  }
  return defineSlice<RepoPorts>({
    routes: [(ports) => dependencyRoutes(lists, advisoriesOf(ports))(ports)],
    workers: [() => ({ start: async () => {}, stop: lists.stop }), advisoriesOf],
  });
}
