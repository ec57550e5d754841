const TRUE = /^(?:yes|true|on)$/i;
const FALSE = /^(?:no|false|off)$/i;
const NULL = /^(?:~|null)?$/i;
const OCTAL = /^[-+]?0[0-7_]+$/;
const NUMBER =
  /^[-+]?(?:0b[01_]+|0x[\da-f_]+|(?:0|[1-9][\d_]*)(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d[\d_]*(?:e[-+]?\d+)?)$/i;

/**
 * Resolves an unquoted scalar by YAML 1.1, as upstream does: `yes` and `on` are booleans, `0644` is octal, `y` is a text.
 * Dates and base-60 numbers such as `10:20` stay texts, because their authors mean texts.
 */
export function plainScalar(source: string): string | number | boolean | null {
  if (NULL.test(source)) return null;
  const first = source.charCodeAt(0);
  // Only digits, signs and the point begin a number.
  if (first >= 43 && first <= 57) {
    if (OCTAL.test(source)) return signed(source, (digits) => Number.parseInt(digits, 8));
    return NUMBER.test(source) ? signed(source, Number) : source;
  }
  if (source.length > 5) return source;
  if (TRUE.test(source)) return true;
  return FALSE.test(source) ? false : source;
}

function signed(source: string, parse: (digits: string) => number): number {
  const value = parse(source.replaceAll('_', '').replace(/^[-+]/, ''));
  return source.startsWith('-') ? -value : value;
}
