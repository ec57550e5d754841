import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { allKeys, lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';

export interface ClientKey {
  id: number;
  projectId: number;
}

/** The public keys by which SDKs report, derived so that the log has none of them. */
export interface ClientKeys {
  publicKey(key: ClientKey): string;
  isRight(key: ClientKey, given: string): boolean;
}

export function createClientKeys({ configuration }: Pick<ServicePorts, 'configuration'>): ClientKeys {
  const instanceKey = lazyInstanceKey(configuration);
  return {
    publicKey: (key) => derived(instanceKey(), key),
    isRight(key, given) {
      const bytes = Buffer.from(given);
      return allKeys(instanceKey).some((each) => {
        const wanted = Buffer.from(derived(each, key));
        return wanted.length === bytes.length && timingSafeEqual(wanted, bytes);
      });
    },
  };
}

/** SDKs take word characters alone; the prefix is the one by which secret scanners recognise it. */
function derived(instanceKey: Buffer, { id, projectId }: ClientKey): string {
  const mac = createHmac('sha256', instanceKey).update(`error tracking ${projectId} ${id}`).digest('hex');
  return `glet_${mac.slice(0, 32)}`;
}
