export const svgNamespace = 'http://www.w3.org/2000/svg';
export const xlinkNamespace = 'http://www.w3.org/1999/xlink';

const editorNamespaces: ReadonlySet<string> = new Set([
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.openswatchbook.org/uri/2009/osb',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
  'http://www.corel.com/coreldraw/odm/2003',
  'http://www.serif.com/',
  'http://www.bohemiancoding.com/sketch/ns',
  'http://www.figma.com/figma/ns',
  'https://boxy-svg.com',
]);

/** What drawing programs note down for themselves. To a browser it is nothing: neither drawn nor loaded. Adobe has dozens. */
export function isEditorNamespace(uri: string): boolean {
  return editorNamespaces.has(uri) || uri.startsWith('http://ns.adobe.com/');
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

export const elements = words(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc metadata style marker
   linearGradient radialGradient stop clipPath mask pattern image switch
   filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
   feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile
   font font-face font-face-src font-face-name missing-glyph glyph hkern vkern`,
);

export const attributes = words(
  `id class version baseProfile viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points transform offset dx dy
   rotate fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip clip-path clip-rule mask
   clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform gradientUnits
   gradientTransform spreadMethod stop-color stop-opacity preserveAspectRatio vector-effect shape-rendering
   text-rendering image-rendering color-rendering font-family font-size font-size-adjust font-weight font-style
   font-variant font-stretch text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift kerning
   letter-spacing word-spacing writing-mode direction unicode-bidi textLength lengthAdjust startOffset method spacing side
   aria-hidden focusable style type pointer-events pathLength zoomAndPan transform-origin
   systemLanguage requiredFeatures
   filter filterUnits primitiveUnits color-interpolation color-interpolation-filters flood-color flood-opacity
   in in2 result mode operator k1 k2 k3 k4 values stdDeviation radius tableValues slope intercept amplitude exponent
   enable-background paint-order isolation mask-type mix-blend-mode
   marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient
   horiz-adv-x horiz-origin-x horiz-origin-y units-per-em ascent descent cap-height x-height alphabetic panose-1 k`,
);

/** Attributes whose value is a text for people, or the letters of a font: nothing is ever read out of it. */
export const texts = words('role lang aria-label aria-labelledby unicode unicode-range glyph-name name u1 u2 g1 g2');

/** What a link says of itself; nobody follows it for that. */
export const linkAttributes = words('type title role arcrole show actuate');
