/**
 * The address with one slash wherever its path has several: clients put addresses together from a base that ends in
 * one. An encoded slash is no separator and stays, and so does the query. Done before anything looks at the address,
 * so that rights, log and cache see the path that is served.
 */
export function withSingleSlashes(url: string): string {
  const double = url.indexOf('//');
  const query = url.indexOf('?');
  if (double < 0 || (query >= 0 && query < double)) return url;
  const path = query < 0 ? url : url.slice(0, query);
  return path.replace(/\/{2,}/g, '/') + url.slice(path.length);
}
