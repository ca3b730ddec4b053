import { describe, expect, it } from 'vitest';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { Brand, checkBrand, noBrand } from './branding.ts';
import { contrastWithWhite } from './contrast.ts';
import { svgProblem } from './svg.ts';

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" ${attributes}>${inner}</svg>`;
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const logo = svg('<path d="M0 0h10v10z" fill="#123456"/>');

/** Eight levels of ten: a hundred million things to draw, in two kilobytes. */
function bomb(reference: (id: string) => string): string {
  const level = (depth: number) => `<g id="l${depth}">${reference(`l${depth - 1}`).repeat(10)}</g>`;
  return `<path id="l0" d="M0 0"/>${Array.from({ length: 8 }, (_, index) => level(index + 1)).join('')}`;
}
const sheet = `<style>${Array.from({ length: 8 }, (_, depth) => `.cl${depth}{mask:url(#l${depth})}`).join('')}</style>`;

const harmless: Readonly<Record<string, string>> = {
  'a path': logo,
  'an XML declaration': `<?xml version="1.0" encoding="UTF-8"?>\n${logo}`,
  'a comment': svg('<!-- drawn by hand --><circle cx="5" cy="5" r="4"/>'),
  'a gradient and its use': svg(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect width="10" height="10" fill="url(#g)"/>',
  ),
  'a reference inside the drawing': svg(`<defs><g id="a"/></defs><use xlink:href="#a"/><use href="#a"/>`, xlink),
  'a style attribute': svg('<rect style="fill:#fff;stroke-width:2;fill-opacity:.5" width="1" height="1"/>'),
  'an id that is only a word': svg('<g id="image1" class="paint"/>'),
  'an empty style sheet': svg('<style/>'),
  'data of a drawing program': svg('<g id="Layer_1" data-name="Layer 1"/>'),
  'the DOCTYPE that drawing programs write': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${logo}`,
  'a plain DOCTYPE': `<!DOCTYPE svg>${logo}`,
  'a shadow': svg(
    `<defs><filter id="f" x="0" y="0" width="10" height="10" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">
     <feFlood flood-opacity="0" result="b"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0" result="a"/>
     <feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feBlend mode="normal" in2="b" result="e"/></filter></defs>
     <g filter="url(#f)"><rect width="5" height="5"/></g>`,
  ),
  'what Illustrator saves': `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
	 viewBox="0 0 100 100" style="enable-background:new 0 0 100 100;" xml:space="preserve">
<style type="text/css">
	.st0{clip-path:url(#SVGID_2_);}
	.st1{fill:#FF0000;stroke:#FFFFFF;stroke-miterlimit:10;}
	.st2,.st3{font-family:'MyriadPro-Regular';mix-blend-mode:multiply;}
</style>
<g><defs><rect id="SVGID_1_" width="100" height="100"/></defs>
	<clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_"  style="overflow:visible;"/></clipPath>
	<g class="st0"><path class="st1 st2" d="M0 0h10z"/></g></g></svg>`,
  'what Illustrator exports': `<?xml version="1.0" encoding="UTF-8"?><svg id="Layer_1" data-name="Layer 1" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><style>.cls-1{fill:#1d1d1b;}.cls-1,.cls-2{stroke-width:0px;}</style></defs><path class="cls-1" d="m0,0h9v9z"/></svg>`,
  'what Inkscape saves': `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="100mm" height="50mm" viewBox="0 0 100 50" version="1.1" id="svg1" inkscape:version="1.3.2 (091e20e, 2023-11-25)"
   sodipodi:docname="logo.svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns="http://www.w3.org/2000/svg"
   xmlns:svg="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
   xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <sodipodi:namedview id="namedview1" pagecolor="#ffffff" bordercolor="#666666" inkscape:zoom="0.74" inkscape:document-units="mm">
    <inkscape:grid type="xygrid" id="grid1"/></sodipodi:namedview>
  <defs id="defs1"/>
  <metadata id="metadata1"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format>
    <dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></cc:Work></rdf:RDF></metadata>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1">
    <path style="fill:#217346;stroke-width:0.264583" d="M 1,2 3,4 Z" id="path1" sodipodi:nodetypes="ccc"/>
    <text xml:space="preserve" style="font-size:10px;line-height:1.25;-inkscape-font-specification:'sans-serif, Normal'" x="1" y="2"
       id="text1"><tspan sodipodi:role="line" id="tspan1" x="1" y="2">Acme</tspan></text></g></svg>`,
  'uses of uses that stay few': svg(
    '<defs><path id="a" d="M0 0"/><g id="b"><use href="#a"/><use href="#a"/></g></defs><use href="#b"/><use href="#b"/>',
  ),
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
  svg('<style>@import "https://evil.example/x.css";</style>'),
  svg('<style>@font-face{font-family:x;src:url(https://evil.example/x)}</style>'),
  svg('<style>@media print{.a{fill:#fff}}</style>'),
  svg('<style>.a{fill:url(https://evil.example/x#a)}</style>'),
  svg('<style>.a{fill:url("//evil.example/x#a")}</style>'),
  svg('<style>.a{fill:url(x.svg#a)}</style>'),
  svg('<style>.a{fill:u\\72l(https://evil.example/x)}</style>'),
  svg('<style>.a{fill:ur/**/l(x.svg#a)}</style>'),
  svg('<style>.a{content:"/*";fill:url(x.svg#a);content:"*/"}</style>'),
  svg('<style><![CDATA[.a{fill:url(x.svg#a)}]]></style>'),
  svg('<style>.a{fill:url(x.sv<!-- -->g#a)}</style>'),
  svg('<style>.a{background:image-set("x" 1x)}</style>'),
  svg('<style>.a{background:src("x")}</style>'),
  svg('<style>.a{behavior:x}</style>'),
  svg('<style>.a{width:expression(alert(1))}</style>'),
  svg('<style>.a{fill:&#117;rl(x.svg#a)}</style>'),
  svg('<style type="text/javascript">.a{}</style>'),
  svg('<style media="print">.a{}</style>'),
  svg('<style href="https://evil.example/x.css"/>'),
  svg('<style><g/></style>'),
  svg('<style>path{mask:url(#m)}</style>'),
  svg('<g data-x="1" data-y="2" onclick="alert(1)"/>'),
  svg('<sodipodi:namedview onload="alert(1)"/>', 'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"'),
  svg('<i:x xlink:href="https://evil.example"/>', `xmlns:i="http://www.inkscape.org/namespaces/inkscape" ${xlink}`),
  svg('<i:x><script>alert(1)</script></i:x>', 'xmlns:i="http://www.inkscape.org/namespaces/inkscape"'),
  svg('<filter id="f"><feImage xlink:href="x.png"/></filter>', xlink),
  svg('<rect filter="url(https://evil.example/x#f)"/>'),
  svg('<rect filter="blur(1px) url(x.svg#f)"/>'),
  `<!DOCTYPE svg SYSTEM "https://evil.example/x.dtd">${logo}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/x.dtd">${logo}`,
  `<!DOCTYPE svg [<!ATTLIST g onload CDATA "alert(1)">]>${logo}`,
  `<!DOCTYPE svg []>${logo}`,
  `<!DOCTYPE html>${logo}`,
  svg(bomb((id) => `<use href="#${id}"/>`)),
  svg(
    bomb((id) => `<use xlink:href="#${id}"/>`),
    xlink,
  ),
  svg(bomb((id) => `<rect fill="url(#${id})"/>`)),
  svg(bomb((id) => `<rect style="mask:url('#${id}')"/>`)),
  svg(bomb((id) => `<rect class="c${id}"/>`) + sheet),
  svg('<g id="a"><use href="#a"/></g>'),
  svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
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
  svg('<g xml:base="https://evil.example/"/>'),
  svg('<g xmlns:evil="https://evil.example"/>'),
  svg('<g xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load"/>'),
  `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('<text>&x;</text>')}`,
  `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
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
