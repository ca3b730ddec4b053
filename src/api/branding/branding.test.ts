import { describe, expect, it } from 'vitest';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { Brand, checkBrand, noBrand } from './branding.ts';
import { contrastWithWhite } from './contrast.ts';

const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${inner}</svg>`;
const logo = svg('<path d="M0 0h10v10z" fill="#123456"/>');

describe('a brand', () => {
  const name = 'Acme';
  const rows: Readonly<Record<string, readonly [unknown, string | undefined]>> = {
    'nothing at all': [{}, undefined],
    'empty values, as the chart writes them': [{ name: '', logo: { light: '', dark: '' }, accentColor: '' }, undefined],
    'a whole brand': [{ name, logo: { light: logo, dark: logo }, accentColor: '#005a9c' }, undefined],
    'a name without a logo': [{ name }, 'branding.logo.light is required with branding.name'],
    'a logo without a name': [{ logo: { light: logo } }, 'branding.name must have 1 to 64 characters'],
    'a name of 65 characters': [
      { name: 'x'.repeat(65), logo: { light: logo } },
      'branding.name must have 1 to 64 characters',
    ],
    'a name with markup': [{ name: '<b>Acme</b>', logo: { light: logo } }, 'branding.name must be plain text'],
    'a name with a line break': [{ name: 'Ac\nme', logo: { light: logo } }, 'branding.name must be plain text'],
    'a logo of more than 64 KiB': [
      { name, logo: { light: svg(`<!--${'x'.repeat(65_536)}-->`) } },
      'branding.logo.light is larger than 64 KiB',
    ],
    'a dark logo that breaks a rule': [
      { name, logo: { light: logo, dark: svg('<script/>') } },
      'branding.logo.dark has the element script',
    ],
    'a color that is too light': [
      { accentColor: '#ffff00' },
      'branding.accentColor has a contrast of 1.07:1 against white; at least 4.5:1 is needed',
    ],
    'a color that is no #RRGGBB': [{ accentColor: 'red' }, 'branding.accentColor must be written #RRGGBB'],
    'a name that is no text': [{ name: 5 }, 'branding.name must be a text'],
  };
  for (const [title, [values, problem]] of Object.entries(rows)) {
    it(`of ${title}`, async () => {
      const checked = await checkBrand(values);
      expect(checked.ok ? undefined : checked.problem).toBe(problem);
    });
  }

  it('uses the light logo where there is no dark one, and the default color', async () => {
    expect(await checkBrand({ name, logo: { light: logo } })).toEqual({
      ok: true,
      brand: { name, logo: { light: logo, dark: logo }, accentColor: '#1976d2' },
    });
  });

  it('that breaks a rule is ignored as a whole, with one warning however often it is asked for', async () => {
    const logger = new RecordingLogger();
    const values = { name, logo: { light: svg('<script/>') }, accentColor: '#005a9c' };
    const brand = new Brand(() => values, logger);
    for (let index = 0; index < 3; index++) expect(await brand.answer(false)).toEqual({ ...noBrand, passkeys: false });
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'The brand is ignored',
        fields: { problem: 'branding.logo.light has the element script' },
      },
    ]);
  });

  it('is looked at once, however often it is asked for, and again when it changes', async () => {
    let looks = 0;
    const valuesOf = (color: string) => ({
      get accentColor() {
        looks++;
        return color;
      },
    });
    let values = valuesOf('#005a9c');
    const brand = new Brand(() => values, new RecordingLogger());
    const first = await brand.answer(true);
    for (let index = 0; index < 100; index++) expect(await brand.answer(true)).toBe(first);
    expect([looks, first.accentColor, first.passkeys]).toEqual([1, '#005a9c', true]);
    expect(await brand.answer(false)).toEqual({ ...first, passkeys: false });
    values = valuesOf('#004a80');
    expect((await brand.answer(true)).accentColor).toBe('#004a80');
    expect(looks).toBe(2);
  });

  it('has its contrast measured as WCAG does', () => {
    expect(contrastWithWhite('#000000')).toBeCloseTo(21, 5);
    expect(contrastWithWhite('#ffffff')).toBeCloseTo(1, 5);
    expect(contrastWithWhite('#767676')).toBeGreaterThanOrEqual(4.5);
    expect(contrastWithWhite('#777777')).toBeLessThan(4.5);
    expect(contrastWithWhite('#1976d2')).toBeGreaterThanOrEqual(4.5);
  });
});
