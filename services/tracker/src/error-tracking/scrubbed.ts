const HIDDEN = '[Filtered]';

const SECRET_NAME =
  'pass(?:word|wd|phrase)?|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth(?:orization)?|credentials?|cookie|session(?:[-_]?id)?|csrf|signature';

const WORDS_BEFORE_SECRETS = new RegExp(
  `\\b([\\w-]{0,40}(?:${SECRET_NAME})["']?\\s{0,3}[=:]\\s{0,3})(?:(?:bearer|basic)\\s{1,3})?("[^"]{0,512}"|'[^']{0,512}'|[^\\s&,;"']{1,512})`,
  'gi',
);
const SCHEMES = /\b(bearer|basic)\s{1,3}[\w+/.=~-]{8,2048}/gi;
const IN_ADDRESSES = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]{1,512}@/gi;
/** Tokens of this and of other products, which have a prefix so that they are found. */
const KNOWN_TOKENS = /\b(?:gl[a-z]{2,6}-|gh[a-z]_|github_pat_|xox[a-z]-|sk_live_|AKIA)[\w-]{16,255}/g;
const JSON_WEB_TOKENS = /\beyJ[\w-]{8,2048}\.[\w-]{8,2048}\.[\w-]{0,2048}/g;

/** The text without what looks like a password or a token. */
export const scrubbed = (text: string): string =>
  text
    .replace(IN_ADDRESSES, `$1${HIDDEN}@`)
    .replace(JSON_WEB_TOKENS, HIDDEN)
    .replace(KNOWN_TOKENS, HIDDEN)
    .replace(WORDS_BEFORE_SECRETS, `$1${HIDDEN}`)
    .replace(SCHEMES, `$1 ${HIDDEN}`);

const SECRET = new RegExp(SECRET_NAME, 'i');

/** What stands under a name: hidden whole where the name is one of a secret. */
export const scrubbedValue = (name: string, value: string): string =>
  SECRET.test(name) ? HIDDEN : scrubbed(value);

/** The address alone: credentials, query and fragment are those of a person. */
export function scrubbedUrl(text: string): string {
  const bare = text.split(/[?#]/, 1)[0]!;
  return scrubbed(bare);
}
