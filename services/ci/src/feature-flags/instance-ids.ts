import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { allKeys, lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { featureFlagsClients } from './feature-flags-clients.projection.ts';

/** The secrets by which clients of Unleash ask for the flags of a project. */
export interface InstanceIds {
  of(projectId: number): Promise<string>;
  isRight(projectId: number, instanceId: string): Promise<boolean>;
}

export function createInstanceIds({
  configuration,
  readStore,
}: Pick<ServicePorts, 'configuration' | 'readStore'>): InstanceIds {
  const key = lazyInstanceKey(configuration);
  async function all(projectId: number): Promise<string[]> {
    const resets = (await readStore.get(featureFlagsClients, projectId))?.resets ?? 0;
    return allKeys(key).map((each) => instanceId(each, projectId, resets));
  }
  return {
    of: async (projectId) => (await all(projectId))[0]!,
    async isRight(projectId, given) {
      const bytes = Buffer.from(given);
      const wanted = (await all(projectId)).map((each) => Buffer.from(each));
      return wanted.some((each) => each.length === bytes.length && timingSafeEqual(each, bytes));
    },
  };
}

/** Derived, so that the log has none; the prefix is the one by which secret scanners recognise it. */
function instanceId(key: Buffer, projectId: number, resets: number): string {
  const mac = createHmac('sha256', key).update(`feature flags ${projectId} ${resets}`).digest('base64url');
  return `glffct-${mac.slice(0, 32)}`;
}
