/** Options whose values are safe to record and explain what a push did. */
const EXPLAINS = /^(ci\.skip|ci\.input|merge_request\.[a-z_]+|integrations\.skip_ci)$/;
/** Bounds on the recorded options and their characters. */
const MOST = 100;
const LONGEST = 1024;

/**
 * Redacts push options for the log. `ci.variable="KEY=value"` keeps only its key, since the value may be a secret.
 * Unknown options keep only their key too.
 */
export function recordedPushOptions(options: readonly string[]): string[] {
  return options.slice(0, MOST).map((option) => recorded(option).slice(0, LONGEST));
}

function recorded(option: string): string {
  const [name = '', value] = split(option);
  if (value === undefined || EXPLAINS.test(name)) return option;
  return name === 'ci.variable' ? `${name}=${split(value.replace(/^"/, ''))[0]}` : name;
}

const split = (text: string): string[] => {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};
