import ipaddr from 'ipaddr.js';

/** Addresses and names that requests of this server may reach besides the public network. */
export interface AddressExceptions {
  /** Loopback and private networks; never those that only a machine itself has. */
  local: boolean;
  /** Addresses, networks (`10.1.0.0/16`) and names of hosts. */
  allowed: readonly string[];
}

export const NO_EXCEPTIONS: AddressExceptions = { local: false, allowed: [] };

const LOCAL: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether a request to `host` may connect to `address`. An IPv4 address that is mapped into IPv6 counts as itself; other
 * forms of IPv6 that may lead to one, tunnels and translations, are never public.
 */
export function mayReach(address: string, host: string, { local, allowed }: AddressExceptions): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (allowed.length > 0 && allowed.some((one) => isNamed(one, parsed, host))) return true;
  const range = parsed.range();
  if (local && LOCAL.has(range)) return true;
  if (range !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

function isNamed(exception: string, address: ipaddr.IPv4 | ipaddr.IPv6, host: string): boolean {
  if (exception.includes('/')) {
    if (!ipaddr.isValidCIDR(exception)) return false;
    const network = ipaddr.parseCIDR(exception);
    return network[0].kind() === address.kind() && address.match(network);
  }
  if (ipaddr.isValid(exception)) return ipaddr.process(exception).toString() === address.toString();
  return exception.toLowerCase() === host.toLowerCase();
}

const HOST =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?)*$/i;

/** Whether a text can be an exception. */
export const isAddressException = (text: string): boolean =>
  text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text) || HOST.test(text);
