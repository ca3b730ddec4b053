import type { AnswerOf } from '../../contract/operations.ts';
import type { Logger } from '../../ports/logger.ts';
import { contrastWithWhite } from './contrast.ts';

type Answer = AnswerOf<'branding'>;
type Branding = Omit<Answer, 'passkeys'>;

const defaultAccent = '#1976d2';
export const noBrand: Branding = { name: null, logo: null, accentColor: defaultAccent };

const longestName = 64;
const largestLogo = 64 * 1024;
const leastContrast = 4.5;

export type CheckedBrand =
  | { readonly ok: true; readonly brand: Branding }
  | { readonly ok: false; readonly problem: string };

/** Checks the chart's `branding` values. One that breaks a rule voids the whole brand. */
export async function checkBrand(values: unknown): Promise<CheckedBrand> {
  const { name, accentColor, logo } = record(values);
  const { light, dark } = record(logo);
  const texts = Object.entries({ name, accentColor, 'logo.light': light, 'logo.dark': dark });
  const notText = texts.find(([, value]) => value !== undefined && value !== null && typeof value !== 'string');
  if (notText !== undefined) return bad(`branding.${notText[0]} must be a text`);
  const given = Object.fromEntries(texts.map(([key, value]) => [key, (value as string | undefined | null) ?? '']));
  const accent = given['accentColor'] || defaultAccent;
  const accentProblem = colorProblem(accent);
  if (accentProblem !== undefined) return bad(`branding.accentColor ${accentProblem}`);
  const { name: brandName = '', 'logo.light': lightLogo = '', 'logo.dark': darkLogo = '' } = given;
  if (brandName === '' && lightLogo === '' && darkLogo === '') {
    return { ok: true, brand: { ...noBrand, accentColor: accent } };
  }
  const wrongName = nameProblem(brandName);
  if (wrongName !== undefined) return bad(`branding.name ${wrongName}`);
  if (lightLogo === '') return bad('branding.logo.light is required with branding.name');
  for (const [key, text] of [
    ['light', lightLogo],
    ['dark', darkLogo],
  ] as const) {
    const problem = text === '' ? undefined : await logoProblem(text);
    if (problem !== undefined) return bad(`branding.logo.${key} ${problem}`);
  }
  const brand = { name: brandName, logo: { light: lightLogo, dark: darkLogo || lightLogo }, accentColor: accent };
  return { ok: true, brand };
}

/**
 * The brand to show. It is checked once for each change of the values, a refused one is logged once, and the answer is one object, which is
 * written out once: a stranger who asks for it again and again costs next to nothing.
 */
export class Brand {
  readonly #values: () => unknown;
  readonly #logger: Logger;
  #checked: { readonly values: unknown; readonly result: Promise<CheckedBrand> } | undefined;
  #answered: { readonly of: CheckedBrand; readonly answer: Answer } | undefined;

  constructor(values: () => unknown, logger: Logger) {
    this.#values = values;
    this.#logger = logger;
  }

  async answer(passkeys: boolean): Promise<Answer> {
    const checked = await this.#newest();
    if (this.#answered?.of !== checked || this.#answered.answer.passkeys !== passkeys) {
      this.#answered = { of: checked, answer: { ...(checked.ok ? checked.brand : noBrand), passkeys } };
    }
    return this.#answered.answer;
  }

  /** Why the brand is ignored; undefined while it is shown, or there is none. */
  async problem(): Promise<string | undefined> {
    const checked = await this.#newest();
    return checked.ok ? undefined : checked.problem;
  }

  #newest(): Promise<CheckedBrand> {
    const values = this.#values();
    if (this.#checked === undefined || this.#checked.values !== values) {
      this.#checked = { values, result: this.#check(values) };
    }
    return this.#checked.result;
  }

  async #check(values: unknown): Promise<CheckedBrand> {
    const checked = await checkBrand(values);
    if (!checked.ok) this.#logger.warn('The brand is ignored', { problem: checked.problem });
    return checked;
  }
}

function nameProblem(name: string): string | undefined {
  const length = [...name].length;
  if (length < 1 || length > longestName) return `must have 1 to ${longestName} characters`;
  return /[\p{C}<>]|^\s|\s$/u.test(name) ? 'must be plain text' : undefined;
}

function colorProblem(color: string): string | undefined {
  if (!/^#[0-9a-fA-F]{6}$/.test(color)) return 'must be written #RRGGBB';
  const contrast = contrastWithWhite(color);
  return contrast >= leastContrast
    ? undefined
    : `has a contrast of ${contrast.toFixed(2)}:1 against white; at least ${leastContrast}:1 is needed`;
}

async function logoProblem(text: string): Promise<string | undefined> {
  if (Buffer.byteLength(text) > largestLogo) return 'is larger than 64 KiB';
  const { svgProblem } = await import('./svg.ts');
  return svgProblem(text);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function bad(problem: string): CheckedBrand {
  return { ok: false, problem };
}
