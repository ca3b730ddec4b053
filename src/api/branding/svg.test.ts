import { describe, expect, it } from 'vitest';
import { svgProblem } from './svg.ts';

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" ${attributes}>${inner}</svg>`;
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const logo = svg('<path d="M0 0h10v10z" fill="#123456"/>');

/** The heads of pictures: nothing else of them is read. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(200);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
function jpeg(width: number, height: number): string {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff]), frame]);
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
}
function webp(width: number, height: number): string {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF\x20\0\0\0WEBPVP8X', 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}

/** Eight levels of ten: a hundred million things to draw, in two kilobytes. */
function bomb(reference: (id: string) => string): string {
  const level = (depth: number) => `<g id="l${depth}">${reference(`l${depth - 1}`).repeat(10)}</g>`;
  return `<path id="l0" d="M0 0"/>${Array.from({ length: 8 }, (_, index) => level(index + 1)).join('')}`;
}
const sheet = `<style>${Array.from({ length: 8 }, (_, depth) => `.cl${depth}{mask:url(#l${depth})}`).join('')}</style>`;

/** Paints, markers and copies that multiply: each is a few kilobytes, and millions of shapes or pixels. */
const zigzag = `M0 0${'l1 1'.repeat(2000)}`;
const marked = (level: number) =>
  `<marker id="m${level}"><path d="${zigzag}" marker-mid="url(#m${level - 1})"/></marker>`;
const rects = '<rect width="9" height="9"/>'.repeat(100);
const bombs: readonly string[] = [
  svg(
    `<marker id="m0"><path d="M0 0"/></marker>${[1, 2, 3, 4].map(marked).join('')}<path d="${zigzag}" marker-mid="url(#m4)"/>`,
  ),
  svg(
    `<marker id="m0"><path d="${zigzag}"/></marker><g marker-mid="url(#m0)"><path d="${zigzag}" /></g>${marked(1)}<path style="marker:url(#m1)" d="${zigzag}"/>`,
  ),
  // The marker by a class, also behind what a browser drops.
  ...[
    '.m{marker-mid:url(#m0)}',
    '.m{x:@charset "y"; marker-mid:url(#m0)}',
    '.m{@media print{y:z}marker-mid:url(#m0)}',
    '.m{x@media print{}marker-mid:url(#m0)}',
    '.m{x:y;@media print{marker-mid:url(#m0)}}',
  ].map((css) =>
    svg(
      `<style>${css}</style><marker id="m0">${rects}</marker><g class="m"><polyline points="${'1 2 '.repeat(300)}"/></g>`,
    ),
  ),
  svg(
    `<marker id="m0">${rects}</marker><use href="#z" marker-start="url(#m0)"/><g id="z">${'<line x2="9"/>'.repeat(300)}</g>`,
  ),
  svg(
    `${[1, 2, 3, 4]
      .map((level) => `<g fill="url(#p${level - 1})"><pattern id="p${level}">${rects}</pattern></g>`)
      .join('')}<pattern id="p0">${rects}</pattern><rect fill="url(#p4)"/>`,
  ),
  svg(`<pattern id="p">${rects}</pattern><g fill="url(#p)">${'<rect width="1"/>'.repeat(300)}</g>`),
  svg(
    `<pattern id="p">${rects}</pattern><use href="#a" fill="url(#p)"/><g id="a">${'<rect width="1"/>'.repeat(300)}</g>`,
  ),
  svg(`<pattern id="p">${rects}</pattern><text fill="url(#p)">${'x'.repeat(300)}</text>`),
  svg(
    `<pattern id="p">${rects}</pattern><marker id="m"><path d="M0 0" fill="context-fill"/></marker><path fill="url(#p)" marker-mid="url(#m)" d="M0 0${'h1'.repeat(300)}"/>`,
  ),
  svg(
    `${Array.from(
      { length: 20 },
      (_, level) => `<pattern id="p${level + 1}"><rect fill="url(#p${level})" stroke="url(#p${level})"/></pattern>`,
    ).join('')}<rect fill="url(#p20)"/>`,
  ),
  svg(
    `<filter id="f">${'<feGaussianBlur stdDeviation="3"/><feMorphology radius="3" operator="dilate"/>'.repeat(5)}</filter>${'<rect width="9" height="9" filter="url(#f)"/>'.repeat(1_300)}`,
  ),
  svg(`<rect id="r" width="9" height="9" style="filter:${'blur(9px)'.repeat(100)}"/>${'<use href="#r"/>'.repeat(100)}`),
  svg(
    `<style>.b{filter:${'drop-shadow(1px 1px)'.repeat(100)}}</style>${'<rect class="b" width="9" height="9"/>'.repeat(100)}`,
  ),
  svg(`<image href="${png(30_000, 30_000)}"/>`),
  svg(`<image href="${jpeg(65_535, 65_535)}"/>`),
  svg(`<image href="${webp(16_383, 16_383)}"/>`),
  svg(`<image id="i" href="${png(1_000, 1_000)}"/>${'<use href="#i"/>'.repeat(30)}`),
];

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
  'what Illustrator saves with the namespaces of its editor': `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 24.0.1, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns:x="http://ns.adobe.com/Extensibility/1.0/" xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/"
	 xmlns:graph="http://ns.adobe.com/Graphs/1.0/" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
	 xmlns:a="http://ns.adobe.com/AdobeSVGViewerExtensions/3.0/" x="0px" y="0px" width="42px" height="42px" viewBox="0 0 42 42"
	 enable-background="new 0 0 42 42" xml:space="preserve">
<metadata><sfw  xmlns="http://ns.adobe.com/SaveForWeb/1.0/"><slices></slices><sliceSourceBounds  bottomLeftOrigin="true" height="42" width="42" x="0" y="0"></sliceSourceBounds></sfw></metadata>
<switch><g i:extraneous="self"><g id="Layer_2" i:layer="yes" i:dimmedPercent="50" i:rgbTrio="#4F008000FFFF" a:adobe-blending-mode="multiply">
	<polygon fill-rule="evenodd" points="27.066,1 7,21.068 26.568,40.637 31.502,35.704 "/></g></g></switch></svg>`,
  'what Illustrator of today saves': `<?xml version="1.0" encoding="UTF-8"?>
<svg id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/" version="1.1" viewBox="0 0 139.6 135.1">
  <!-- Generator: Adobe Illustrator 29.1.0, SVG Export Plug-In . SVG Version: 2.1.0 Build 142)  -->
  <defs>
    <style>
      .st0, .st1 {
        fill: none;
      }

      .st1 {
        stroke-dasharray: 2;
        fill: url(#linear-gradient);
      }
    </style>
    <linearGradient id="linear-gradient" x1="5" y1="4" x2="6" y2="4" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#fff"/></linearGradient>
  </defs>
  <path class="st1" d="M53.6,61.4C34.1,56.7-1.6,43,8.4,17.1Z"/>
  <metadata>
    <i:aipgfRef id="adobe_illustrator_pgf"/>
    <i:aipgf id="adobe_illustrator_pgf" i:pgfEncoding="zstd/base64" i:pgfVersion="24">
<![CDATA[
KLUv/QBYVNQASosxRC/ARuhWB8vEovifbyqm//8=
]]>
    </i:aipgf>
  </metadata></svg>`,
  'what CorelDRAW exports': `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Creator: CorelDRAW 2019 (64-Bit) -->
<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="68mm" height="45mm" version="1.1" style="shape-rendering:geometricPrecision; text-rendering:geometricPrecision; image-rendering:optimizeQuality; fill-rule:evenodd; clip-rule:evenodd"
viewBox="0 0 7433.34 4919.12"
 xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:xodm="http://www.corel.com/coreldraw/odm/2003">
 <defs>
  <font id="FontID0" horiz-adv-x="709" font-variant="normal" style="fill-rule:nonzero" font-style="normal" font-weight="700">
	<font-face
		font-family="Lato">
		<font-face-src>
			<font-face-name name="Lato Bold"/>
		</font-face-src>
	</font-face>
   <missing-glyph><path d="M0 0z"/></missing-glyph>
   <glyph unicode="&lt;" horiz-adv-x="709" d="M708.504 0l-103.999 0z"/>
   <glyph unicode="@" horiz-adv-x="709"><path d="M708.504 0l-103.999 0z"/></glyph>
  </font>
  <style type="text/css">
   <![CDATA[
    @font-face { font-family:"Lato";font-variant:normal;font-style:normal;font-weight:bold;src:url("#FontID0") format(svg)}
    .str0 {stroke:#373435;stroke-width:28.92;stroke-miterlimit:22.9256}
    .fil0 {fill:#FEFEFE}
    .fil3 {fill:url(#id0);fill-rule:nonzero}
    .fnt0 {font-weight:bold;font-size:505.11px;font-family:'Lato'}
   ]]>
  </style>
  <linearGradient id="id0" gradientUnits="userSpaceOnUse" x1="5" y1="4" x2="6" y2="4"><stop offset="0" style="stop-opacity:1; stop-color:#DD8F3D"/></linearGradient>
 </defs>
 <g id="Layer_x0020_1">
  <metadata id="CorelCorpID_0Corel-Layer"/>
  <rect class="fil0 str0" x="0" y="-0" width="7433.34" height="4919.12" rx="344.56" ry="437.26"/>
  <text x="10" y="20"  class="fil3 fnt0">Acme</text>
 </g>
</svg>`,
  'what CorelDRAW exports with attributes': `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Creator: CorelDRAW -->
<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="100%" height="100%" version="1.1" shape-rendering="geometricPrecision" text-rendering="geometricPrecision" image-rendering="optimizeQuality" fill-rule="evenodd" clip-rule="evenodd"
viewBox="0 0 4091.27 4091.73"
 xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:xodm="http://www.corel.com/coreldraw/odm/2003">
 <g id="Ebene_x0020_1"><metadata id="CorelCorpID_0Corel-Layer"/><path fill="#003B80" d="M52.3641 0l418.923 0c28.8003,0 52.3641,23.5638 52.3641,52.3641z"/></g></svg>`,
  'what Figma exports': `<svg width="200" height="100" viewBox="0 0 200 100" fill="none" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<g clip-path="url(#clip0_1_2)"><mask id="mask0_1_2" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0" width="200" height="100"><path d="M200 0H0V100H200V0Z" fill="white"/></mask>
<g mask="url(#mask0_1_2)" style="mix-blend-mode:multiply"><rect width="100" height="100" fill="url(#pattern0_1_2)"/><path fill-rule="evenodd" clip-rule="evenodd" d="M12 2L22 20H2L12 2Z" fill="url(#paint0_linear_1_2)"/></g></g>
<defs><pattern id="pattern0_1_2" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#image0_1_2" transform="scale(0.01)"/></pattern>
<linearGradient id="paint0_linear_1_2" x1="12" y1="2" x2="12" y2="20" gradientUnits="userSpaceOnUse"><stop stop-color="#FF7A00"/><stop offset="1" stop-color="#FF0169" stop-opacity="0"/></linearGradient>
<clipPath id="clip0_1_2"><rect width="200" height="100" fill="white"/></clipPath>
<image id="image0_1_2" data-name="logo.png" width="100" height="100" preserveAspectRatio="none" xlink:href="${png(100, 100)}"/></defs></svg>`,
  'what Sketch exports': `<?xml version="1.0" encoding="UTF-8"?>
<svg width="100px" height="40px" viewBox="0 0 100 40" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:sketch="http://www.bohemiancoding.com/sketch/ns">
    <!-- Generator: Sketch 52.6 (67491) - http://www.bohemiancoding.com/sketch -->
    <title>Logo</title><desc>Created with Sketch.</desc>
    <defs><polygon id="path-1" points="0 0 10 0 10 10"></polygon>
    <filter x="-10.0%" y="-10.0%" width="120.0%" height="120.0%" filterUnits="objectBoundingBox" id="filter-2"><feOffset dx="0" dy="2" in="SourceAlpha" result="shadowOffsetOuter1"></feOffset><feGaussianBlur stdDeviation="2" in="shadowOffsetOuter1" result="shadowBlurOuter1"></feGaussianBlur><feComposite in="shadowBlurOuter1" in2="SourceAlpha" operator="out"></feComposite></filter></defs>
    <g id="Page-1" stroke="none" stroke-width="1" fill="none" fill-rule="evenodd" sketch:type="MSPage"><mask id="mask-3" fill="white"><use xlink:href="#path-1"></use></mask>
    <use fill="black" fill-opacity="1" filter="url(#filter-2)" xlink:href="#path-1"></use><text font-family="Helvetica" font-size="12" letter-spacing="0.2"><tspan x="1" y="9">Acme</tspan></text></g></svg>`,
  'comments between and within its rules': svg(
    '<style>/* url( */.a{fill:/* the paint */url(#g)}/* url(#x) */.b{font-family:"u /*";fill:/**/#fff}</style><linearGradient id="g"/><g class="a"/>',
  ),
  'a comment with an address in its style': svg(
    '<style>/* from https://fonts.example/x, see "the guide */ .a{fill:#fff} /* @media */</style><g class="a"/>',
  ),
  'text in another language, on a path, struck through': svg(
    '<text lang="de" xml:lang="de" text-decoration="line-through" pointer-events="none"><textPath href="#p" startOffset="50%">Süß</textPath></text><path id="p" pathLength="100" d="M0 0h9"/>',
  ),
  'a picture of its own': svg(`<image width="9" height="9" xlink:href="${png(64, 64)}"/>`, xlink),
  'a picture in lines': svg(`<image width="9" height="9" href="${png(64, 64).replace(/(.{60})/g, '$1&#10;')}"/>`),
  'a photograph': svg(`<image width="9" height="9" href="${jpeg(640, 480)}"/>`),
  'a WebP picture': svg(`<image width="9" height="9" href="${webp(640, 480)}"/>`),
  'a hundred shadows': svg(
    `<filter id="f"><feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feBlend mode="normal"/></filter>${'<rect width="9" height="9" filter="url(#f)"/>'.repeat(100)}`,
  ),
  'an arrow': svg(
    '<marker id="m" orient="auto"><path d="M0 0L9 3z" style="fill:context-stroke"/></marker><path marker-end="url(#m)" d="M0 0h9"/>',
  ),
  'uses of uses that stay few': svg(
    '<defs><path id="a" d="M0 0"/><g id="b"><use href="#a"/><use href="#a"/></g></defs><use href="#b"/><use href="#b"/>',
  ),
  'dark and light in one': svg(
    '<style>.a{fill:#111}@media (prefers-color-scheme: dark){.a{fill:#eee}}</style><path class="a" d="M0 0h9v9z"/>',
  ),
  'rules for a range of widths': svg(
    '<style>@media (width &gt;= 600px) and (aspect-ratio: 16/9){.a{fill:#fff}}</style>',
  ),
  'rules for print': svg('<style>@media print{.a{fill:#fff}}</style>'),
  'rules for browsers that know them': svg(
    '<style>@supports (mix-blend-mode: multiply) { @media screen { .a { mix-blend-mode: multiply } } } .b{fill:#fff}</style>',
  ),
  'a paint for the dark alone': svg(
    '<style>@media (prefers-color-scheme:dark){.a{fill:url(#g)}}</style><linearGradient id="g"/><g class="a"/>',
  ),
  'an animation of its style': svg(
    '<style>@keyframes spin{from{transform:rotate(0)}50%{opacity:.5}to{transform:rotate(360deg)}}.a{animation:spin 2s}</style>',
  ),
  'a style sheet that names its encoding': svg('<style>@charset "UTF-8"; .a{fill:#fff}</style>'),
  'a font by its name': svg('<style>@font-face{font-family:Lato;src:local("Lato Bold")}.a{font-family:Lato}</style>'),
  'a root with a prefix': '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><s:path d="M0 0h1"/></s:svg>',
  'a viewBox with commas, fractions and a negative corner':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox=" -1.5,-.5, 1e2 42.25 "/>',
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
  svg('<style>@media print{.a{fill:url(x.svg#a)}}</style>'),
  svg('<style>@media print{@import "x.css";.a{fill:#fff}}</style>'),
  svg('<style>@media print{path{mask:url(#m)}}</style>'),
  svg('<style>@media url(https://evil.example/x){.a{fill:#fff}}</style>'),
  svg('<style>@media print{.a{fill:#fff}</style>'),
  svg('<style>@supports (fill:url(x.svg#a)){.a{fill:#fff}}</style>'),
  svg('<style>@keyframes k{from{mask:url(#m)}}</style>'),
  svg('<style>@keyframes k{from{fill:url(https://evil.example/x)}}</style>'),
  svg('<style>@charset "utf-8"; @import url(x.css);</style>'),
  svg('<style>@charset url(x);</style>'),
  svg('<style>@font-face{font-family:x;src:url(x.woff)}</style>'),
  svg('<style>@FONT-FACE{font-family:x;src:url(x.woff)}</style>'),
  svg('<style>@namespace url(http://www.w3.org/1999/xhtml);</style>'),
  svg('<style>@media print{.a{content:"}"}@import "x.css"}</style>'),
  svg(`<style>${'@media print{'.repeat(20)}.a{fill:#fff}${'}'.repeat(20)}</style>`),
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
  // A comment is none within an unquoted url( for a browser: what seems to be hidden by it is live.
  ...[
    '.a{fill:url(#x/*)}.b{background:url(http://evil.example/x)}/**/)}',
    '.a{fill:URL(#x/*)}.b{background:url(http://evil.example/x)}/**/)}',
    '.a{fill:url( #x/*)}.b{background:src("x")}/**/)}',
    '.a{fill:url(#x/*()}.b{background:url(http://evil.example/x)}/**/)}',
    '.a{fill:url(#x/*)}@import "x.css";/**/)}',
    '.a{fill:url(/**/#x)}',
    '.a{fill:url(#x/**/)}',
    '.a{fill:url(#x',
    '.a{fill:url(#x y)}',
    '.a{fill:url("#x"/*)*/)}',
    '.a{fill:url("#x\n")}',
    '.a{fill:url("#x" crossorigin(anonymous))}',
    '.a{fill:url(\u00a0#x)}',
    '.a{fill:url(\ufeff#x)}',
    '.a{fill:url("#x"\u2003)}',
    '.a{fill:\\75rl(x.svg#a)}',
    '.a{content:"\\"/*";fill:url(x.svg#a);content:"*/"}',
    '.a{content:"x\n/*";fill:url(x.svg#a);content:"*/"}',
    '&lt;!-- .a{fill:url(x.svg#a)} --&gt;',
    '<![CDATA[.a{fill:url(#x/*)}.b{background:src("x")}/**/)}]]>',
    '.a{fill:url(#x/<!-- -->*)}.b{background:src("x")}/**/)}',
    '.a{fill:url(#x&#47;&#42;)}.b{background:src("x")}/**/)}',
    '.a{background:-webkit-image-set("x" 1x)}',
    '.a{background:-webkit-cross-fade("x","y",50%)}',
    '.a{background:-moz-image-rect("x",0,0,1,1)}',
    '.a{cursor:url(x.cur),auto}',
    '@IMPORT"x.css";',
    '@import/**/"x.css";',
    '@import src("x.css");',
  ].map((css) => svg(`<style>${css}</style>`)),
  svg('<rect style="fill:url(#x/*)"/>'),
  svg('<rect style="fill:url(&#160;#x)"/>'),
  svg('<rect fill="url(&#160;#x)"/>'),
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
  ...bombs,
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

const illustratorEntities = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 16.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
	<!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
	<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
	<!ENTITY ns_graphs "http://ns.adobe.com/Graphs/1.0/">
]>
<svg version="1.1" id="Layer_1" xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" xmlns:graph="&ns_graphs;" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500"><switch><foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1"><i:pgfRef xlink:href="#adobe_illustrator_pgf"/></foreignObject><g i:extraneous="self"/></switch></svg>`;
const figmaBlur = svg(
  '<foreignObject x="-4" y="-4" width="40" height="40"><div xmlns="http://www.w3.org/1999/xhtml" style="backdrop-filter:blur(2px);clip-path:url(#bgblur_0)"></div></foreignObject>',
);

/** What whoever made the logo is told. */
const sentences: Readonly<Record<string, readonly [string, string]>> = {
  'an Illustrator file that keeps its editing capabilities': [
    illustratorEntities,
    'declares entities, which stay out; in Illustrator choose Export As and SVG, or save it with "Preserve Illustrator Editing Capabilities" off',
  ],
  'a background blur of Figma': [
    figmaBlur,
    'has the element foreignObject; flatten effects such as a background blur before the export',
  ],
  'a DOCTYPE with other rules': [`<!DOCTYPE svg [<!ATTLIST g x CDATA "1">]>${logo}`, 'has a DOCTYPE of its own'],
  'a web font of Illustrator': [
    svg("<style>@import url('https://fonts.example/css?family=Lato');</style>"),
    'has @import in its style sheet, which could load something; convert text to outlines before the export',
  ],
  'a style sheet with a comment that does not end': [
    svg('<style>.a{fill:#fff} /* x</style>'),
    'has a style sheet with more than plain rules',
  ],
  'a picture that is linked': [
    svg('<image xlink:href="../logo.png"/>', xlink),
    'has a xlink:href that leads outside on image',
  ],
  'a picture that is a drawing': [
    svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
    'has a picture in href that is no PNG, JPEG or WebP in base64 on image',
  ],
  'a picture of another kind': [
    svg('<image href="data:image/gif;base64,R0lGODlhAQABAAAAACw="/>'),
    'has a picture in href that is no PNG, JPEG or WebP in base64 on image',
  ],
  'a picture that only says that it is one': [
    svg('<image href="data:image/png;base64,PHN2Zy8+"/>'),
    'has a picture in href that is no PNG, JPEG or WebP in base64 on image',
  ],
  'the drawing as a picture in itself': [svg('<image href="#a"/>'), 'has a href that leads outside on image'],
  'data that is no picture': [svg('<use href="data:image/png;base64,AA=="/>'), 'has a href that leads outside on use'],
  'markers on markers': [
    bombs[0]!,
    'draws more than 20000 elements once its references are followed, or itself; a thousand pixels of a picture count as one',
  ],
  'a script': [svg('<script/>'), 'has the element script'],
  'no viewBox': ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'has no viewBox'],
  'rules of pages': [svg('<style>@page{size:A4}</style>'), 'has @page in its style sheet'],
  'a font from outside': [
    svg('<style>@font-face{font-family:x;src:url(https://fonts.example/x)}</style>'),
    'has a style sheet with more than plain rules',
  ],
  'a root without a namespace': [
    '<svg viewBox="0 0 1 1"/>',
    'begins with an svg element of no namespace, which no browser draws; write <svg xmlns="http://www.w3.org/2000/svg"',
  ],
  'a root of another namespace': [
    '<svg xmlns="http://www.w3.org/2000/SVG" viewBox="0 0 1 1"/>',
    'begins with an svg element of the namespace http://www.w3.org/2000/SVG, which no browser draws; write <svg xmlns="http://www.w3.org/2000/svg"',
  ],
  'a root of the namespace of a drawing program': [
    '<svg xmlns="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 1 1"/>',
    'begins with an svg element of the namespace http://www.inkscape.org/namespaces/inkscape, which no browser draws; write <svg xmlns="http://www.w3.org/2000/svg"',
  ],
  ...Object.fromEntries(
    [
      '0x0 0 0x10 10',
      '0 0 0b1 10',
      '0 0 10',
      '0 0 10 10 10',
      '0 0 10px 10px',
      '0 0 -1 10',
      '0,,0 10 10',
      '0 0 5. 5',
      '0 0 1e999 1',
      'none',
    ].map((viewBox) => [
      `the viewBox ${viewBox}`,
      [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"/>`,
        `has the viewBox "${viewBox}"; it must be four decimal numbers, the last two above 0, such as "0 0 120 24"`,
      ],
    ]),
  ),
};

describe('a logo', () => {
  for (const [name, text] of Object.entries(harmless)) {
    it(`may have ${name}`, () => expect(svgProblem(text)).toBeUndefined());
  }

  it('has been tried with more than eighty payloads', () => expect(hostile.length).toBeGreaterThanOrEqual(80));
  for (const text of hostile) {
    it(`must not be ${JSON.stringify(text).slice(0, 110)}`, () => expect(svgProblem(text)).toEqual(expect.any(String)));
  }

  for (const [name, [text, problem]] of Object.entries(sentences)) {
    it(`is refused in a sentence for ${name}`, () => expect(svgProblem(text)).toBe(problem));
  }

  it('is judged in a blink, whatever its style sheet repeats', () => {
    const begun = performance.now();
    for (const piece of [
      '@media{',
      '@media a{}',
      '@media{a{}',
      '@supports (',
      '{',
      '@font-face',
      '"',
      'a{}@',
      'a',
      ' ',
      'url(',
      '.a{fill:url(#a)}',
      '.a,',
    ])
      svgProblem(svg(`<style>${piece.repeat(60_000 / piece.length)}</style>`));
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('is small, even as a bomb', () => {
    expect(Math.max(...bombs.map((text) => Buffer.byteLength(text)))).toBeLessThan(64 * 1024);
  });
});
