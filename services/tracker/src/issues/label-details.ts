/** The look of every label: labels cannot be configured yet. */
const COLOR = '#6699cc';
const TEXT_COLOR = '#FFFFFF';

/** The labels of an issue as objects [L66]. */
export function labelDetails(names: readonly string[]) {
  return names.map((name) => ({
    name,
    color: COLOR,
    description: null,
    description_html: '',
    text_color: TEXT_COLOR,
  }));
}
