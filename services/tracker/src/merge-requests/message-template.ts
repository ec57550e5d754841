/** Text of each variable, asked for once and only where the template names it. */
export type TemplateVariables = Readonly<Record<string, () => string | Promise<string>>>;

const VARIABLE = /%\{([a-z_]+)\}/g;
/** A variable alone on its line, with the empty lines before. */
const ALONE = /\n*^[ \t]*%\{([a-z_]+)\}[ \t]*$/gm;

/** Characters of one value, and of the whole message. */
const MOST_VALUE = 100_000;
const MOST_MESSAGE = 1_000_000;

/**
 * The text of a template like `%{title}`. An empty variable that is alone on its line goes with the line. A variable that
 * does not exist stays as it is written, and so do variables in values.
 */
export async function filledTemplate(template: string, variables: TemplateVariables): Promise<string> {
  const names = new Set([...template.matchAll(VARIABLE)].map(([, name]) => name!));
  const values = new Map<string, string>();
  for (const name of names) {
    const value = Object.hasOwn(variables, name) ? await variables[name]!() : undefined;
    if (value !== undefined) values.set(name, value.slice(0, MOST_VALUE));
  }
  return template
    .replaceAll('\r\n', '\n')
    .replace(ALONE, (line, name) => (values.get(name) === '' ? '' : line))
    .replace(VARIABLE, (written, name) => values.get(name) ?? written)
    .trim()
    .slice(0, MOST_MESSAGE);
}
