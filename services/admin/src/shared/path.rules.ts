/**
 * Usernames and group paths share one namespace: the first segment of project URLs, which the host's own URLs use too.
 */

const ENDS = /\.(git|atom)$/i;
const PATH = /^(?:[a-zA-Z0-9_.][a-zA-Z0-9_.-]*[a-zA-Z0-9_-]|[a-zA-Z0-9_])$/;
const LONGEST = 255;

/** Reserved for the host. */
const TOP_LEVEL = new Set(
  (
    '- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png assets dashboard ' +
    'deploy.html explore favicon.ico favicon.png files groups health_check help import invites jwt login oauth ' +
    'profile projects public robots.txt s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png ' +
    'snippets unsubscribes uploads users v2'
  ).split(' '),
);

/** Reserved at any depth, because project and group URLs use them. */
const BELOW = new Set(
  (
    '- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update ' +
    'wikis'
  ).split(' '),
);

/** Problems of a path, in the words that clients know. */
export function pathProblems(path: string, isTopLevel: boolean): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > LONGEST) return [`is too long (maximum is ${LONGEST} characters)`];
  if (!PATH.test(path) || ENDS.test(path)) {
    return [
      "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.",
    ];
  }
  const reserved = isTopLevel ? TOP_LEVEL : BELOW;
  return reserved.has(path.toLowerCase()) ? [`${path} is a reserved name`] : [];
}

const GROUP_NAME = /^[\p{L}\p{N}\u{a9}-\u{1f9ff}_][\p{L}\p{N}\p{Pd}\u{a9}-\u{1f9ff}_()., ]*$/u;

export function groupNameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > LONGEST) return [`is too long (maximum is ${LONGEST} characters)`];
  return GROUP_NAME.test(name)
    ? []
    : [
        "can contain only letters, digits, emojis, '_', '.', dash, space, parenthesis. It must start with letter, digit, emoji or '_'.",
      ];
}
