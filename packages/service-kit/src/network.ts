import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What stands for a client in counts: one subscriber has 64 bits of IPv6 addresses. */
export function networkOf(address: string | null): string {
  if (address !== null && isIPv4(address)) return address;
  if (address === null || !ipaddr.isValid(address)) return '-';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
