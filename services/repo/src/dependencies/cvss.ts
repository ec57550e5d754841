/** The base score of CVSS 3.0 and 3.1, from 0 to 10; null where the text is no vector of theirs. */
export function baseScore(vector: string): number | null {
  if (!/^CVSS:3\.[01]\//.test(vector) || vector.length > MOST_CHARACTERS) return null;
  const chosen = new Map(
    vector
      .split('/')
      .slice(1)
      .map((part) => part.split(':') as [string, string]),
  );
  const isChanged = chosen.get('S') === 'C';
  const weights = ['AV', 'AC', 'PR', 'UI', 'C', 'I', 'A'].map((metric) => {
    const of = isChanged && metric === 'PR' ? PRIVILEGES_OF_CHANGED : WEIGHTS[metric]!;
    return of[chosen.get(metric) ?? ''];
  });
  if (!['U', 'C'].includes(chosen.get('S') ?? '') || weights.includes(undefined)) return null;
  const [vectorOf, complexity, privileges, interaction, ...losses] = weights as number[];
  const lost = 1 - losses.reduce((kept, loss) => kept * (1 - loss), 1);
  const impact = isChanged ? 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15 : 6.42 * lost;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * vectorOf! * complexity! * privileges! * interaction!;
  return roundedUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

const MOST_CHARACTERS = 300;

const LOSS: Weights = { H: 0.56, L: 0.22, N: 0 };
const WEIGHTS: Readonly<Record<string, Weights>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: LOSS,
  I: LOSS,
  A: LOSS,
};
const PRIVILEGES_OF_CHANGED: Weights = { N: 0.85, L: 0.68, H: 0.5 };

type Weights = Readonly<Record<string, number>>;

/** To one decimal, as the standard rounds: without the noise of binary fractions. */
function roundedUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
