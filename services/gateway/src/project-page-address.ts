/** What a request asks of the API: its path below `/api/v4`, and parameters that are not in the path. */
export interface AskedOfApi {
  path: string;
  params?: Readonly<Record<string, string>>;
}

const PAGE = /^\/(?<place>[^/]+\/.+?)\/-\/(?<rest>(?:archive|raw|releases)[/.].+)$/;
const BADGE = /^\/(?<place>[^/]+\/.+?)\/(?:-\/)?badges\/(?<ref>.+)\/(?<kind>pipeline|coverage)\.svg$/;
const ARCHIVE = /^archive\/(?<ref>.+)\/[^/]*?\.(?<format>tar\.gz|tar\.bz2|tbz2?|tb2|bz2|tar|zip)$/;
const RELEASES = /^releases(?:\.json|\/[^/]+(?:\/downloads\/.+|\/evidences\/\d+(?=\.json$))?)/;

/**
 * What the API answers at an address that its own answers name: the sources, files, releases and badges of a project, without
 * the pages for people. Undefined for other addresses.
 */
export function askedAtProjectPage(address: string): AskedOfApi | undefined {
  const { place, rest = '' } = PAGE.exec(address)?.groups ?? {};
  if (place === undefined) return askedBadge(address);
  const project = projectPath(place);
  const { ref, format } = ARCHIVE.exec(rest)?.groups ?? {};
  if (ref !== undefined) {
    const sha = decoded(ref);
    return sha === undefined
      ? undefined
      : { path: `${project}/repository/archive.${format}`, params: { sha } };
  }
  if (rest.startsWith('raw/')) return { path: `${project}/repository/${rest}` };
  const [release] = RELEASES.exec(rest) ?? [];
  const isWhole = release === rest || `${release}.json` === rest;
  return isWhole ? { path: `${project}/${release}` } : undefined;
}

function askedBadge(address: string): AskedOfApi | undefined {
  const { place, ref = '', kind } = BADGE.exec(address)?.groups ?? {};
  const name = decoded(ref);
  if (place === undefined || name === undefined) return undefined;
  return { path: `${projectPath(place)}/badges/${kind}.svg`, params: { ref: name } };
}

const projectPath = (place: string) => `/projects/${place.replaceAll('/', '%2F')}`;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
