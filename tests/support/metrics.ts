export type Samples = { name: string; labels: Record<string, string>; value: number }[];

export interface Scrape {
  /** Names of families with their types, as `# TYPE` lines declare them. */
  types: Map<string, string>;
  samples: Samples;
}

const SAMPLE = /^([a-z_][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/** What Prometheus would take from the page. @throws Error on a line that it would not understand */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/-/metrics`);
  if (!response.headers.get('content-type')?.startsWith('text/plain; version=0.0.4'))
    throw new Error(`not a page of metrics: ${response.status} ${response.headers.get('content-type')}`);
  return parse(await response.text());
}

export function parse(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Samples = [];
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  for (const line of text.slice(0, -1).split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    if (line === '' || line.startsWith('# ')) continue;
    const match = SAMPLE.exec(line);
    if (!match) throw new Error(`no sample: ${line}`);
    const [, name, labelText = '', value] = match;
    const pairs = [...labelText.matchAll(LABEL)];
    if (pairs.map(([whole]) => whole).join('') !== labelText) throw new Error(`no labels: ${line}`);
    const labels = Object.fromEntries(
      pairs.map(([, label, quoted]) => [
        label,
        quoted!.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character)),
      ]),
    );
    samples.push({ name: name!, labels, value: Number(value) });
  }
  return { types, samples };
}
