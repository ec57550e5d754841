/** Options whose values are no secret and explain what a push did. */
const EXPLAINS = /^(ci\.skip|ci\.input|merge_request\.[a-z_]+|integrations\.skip_ci)$/;
/** More and longer ones are cut off. */
const MOST = 100;
const LONGEST = 1024;

/**
 * What the log keeps of a push's options. `ci.variable="KEY=value"` keeps its key, since values of variables are often
 * secrets; so does an option that nobody here knows.
 */
export function recordedPushOptions(options: readonly string[]): string[] {
  return options.slice(0, MOST).map((option) => recorded(option).slice(0, LONGEST));
}

function recorded(option: string): string {
  const [name = '', value] = split(option);
  if (value === undefined || EXPLAINS.test(name)) return option;
  return name === 'ci.variable' ? `${name}=${split(value.replace(/^"/, ''))[0]}` : name;
}

/** At the first `=`; one part where there is none. */
const split = (text: string): string[] => {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};
