/** `git-…-pack` is git's, of a project that has such an id for a name. */
const UPLOAD =
  /^\/(?:-\/project\/(?<id>\d{1,15})|(?<place>[^/]+\/.+))\/uploads\/(?<file>[0-9a-f]{32}\/(?!git-(?:upload|receive)-pack$)[^/]+)$/;

/** Pages link files of their wiki relative to its address. */
const WIKI_FILE =
  /^\/(?:groups\/(?<group>.+)|(?<project>[^/]+\/.+))\/-\/wikis\/(?<file>uploads\/[0-9a-f]{32}\/[^/]+)$/;

const AVATAR = /^\/uploads\/-\/system\/(user|group|project|topic)\/avatar\/(\d{1,15})\/[^/]+$/;

/** The API's path of an avatar that is asked for at its `avatar_url`; undefined for other addresses. */
export function avatarPath(path: string): string | undefined {
  const [, kind, id] = AVATAR.exec(path) ?? [];
  return id && `/${kind}s/${id}/avatar`;
}

/** The API's path of an upload that is asked for as texts of its project or pages of a wiki link it; undefined for other addresses. */
export function uploadPath(path: string): string | undefined {
  const ofWiki = WIKI_FILE.exec(path)?.groups;
  if (ofWiki) {
    const { group, project, file } = ofWiki;
    const place = group === undefined ? `projects/${encoded(project!)}` : `groups/${encoded(group)}`;
    return `/${place}/wikis/${file}`;
  }
  const { id, place, file } = UPLOAD.exec(path)?.groups ?? {};
  return file && `/projects/${id ?? encoded(place!)}/uploads/${file}`;
}

const encoded = (path: string) => path.replaceAll('/', '%2F');
