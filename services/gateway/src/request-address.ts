/**
 * Collapses repeated slashes, which clients produce from a base URL that ends in one. Encoded slashes and the query
 * stay. It runs first, so access checks, log and cache all see the path that is served.
 */
export function withSingleSlashes(url: string): string {
  const double = url.indexOf('//');
  const query = url.indexOf('?');
  if (double < 0 || (query >= 0 && query < double)) return url;
  const path = query < 0 ? url : url.slice(0, query);
  return path.replace(/\/{2,}/g, '/') + url.slice(path.length);
}
