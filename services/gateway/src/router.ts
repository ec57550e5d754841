import type { AnyEndpoint, Tier } from '@forgelog/contracts/endpoint.ts';
import { allowOf, METHODS } from '@forgelog/service-kit/allowed-methods.ts';
import findMyWay from 'find-my-way';

export type Routed =
  | { kind: 'endpoint'; endpoint: AnyEndpoint; params: Readonly<Record<string, string | undefined>> }
  /** `allow` is the value of the `Allow` header. */
  | { kind: 'method-not-allowed'; allow: string }
  | { kind: 'unknown' };

const TIERS: readonly Tier[] = ['free', 'premium', 'ultimate'];

interface Route {
  endpoint: AnyEndpoint;
  /** The name of what is left of the path, where it takes that as a parameter. */
  rest: string | undefined;
}

function endpointFound(
  { endpoint, rest }: Route,
  params: Readonly<Record<string, string | undefined>>,
): Routed {
  const named = rest === undefined ? params : { ...params, [rest]: params['*'] };
  return { kind: 'endpoint', endpoint, params: named };
}

/**
 * Finds the endpoint of a method and a path below `/api/v4`. Parameters are decoded after routing, so an encoded slash
 * or dot stays inside its segment. Endpoints of another tier do not exist [L26]. HEAD falls back to GET.
 */
export function createRouter(endpoints: readonly AnyEndpoint[], edition: Tier) {
  const router = findMyWay({ maxParamLength: 8192, ignoreTrailingSlash: true });
  const has = TIERS.slice(0, TIERS.indexOf(edition) + 1);
  for (const endpoint of endpoints) {
    if (!has.includes(endpoint.tier)) continue;
    const path = endpoint.path.replace(/\*\w+$/, '*');
    const route: Route = { endpoint, rest: /\*(\w+)$/.exec(endpoint.path)?.[1] };
    router.on(endpoint.method, path, () => {}, route);
  }
  return (method: string, path: string): Routed => {
    const wanted = METHODS.find((known) => known === method);
    const found =
      wanted && (router.find(wanted, path) ?? (wanted === 'HEAD' ? router.find('GET', path) : null));
    if (found) return endpointFound(found.store as Route, found.params);
    const others = METHODS.filter((one) => router.find(one, path) !== null);
    return others.length > 0 ? { kind: 'method-not-allowed', allow: allowOf(others) } : { kind: 'unknown' };
  };
}
