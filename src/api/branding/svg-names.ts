export const svgNamespace = 'http://www.w3.org/2000/svg';
export const xlinkNamespace = 'http://www.w3.org/1999/xlink';

/** What drawing programs note down for themselves. To a browser it is nothing: neither drawn nor loaded. */
export const editorNamespaces: ReadonlySet<string> = new Set([
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
  'http://www.serif.com/',
  'http://www.bohemiancoding.com/sketch/ns',
]);

export const elements: ReadonlySet<string> = new Set(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc metadata style marker
   linearGradient radialGradient stop clipPath mask pattern filter feBlend feColorMatrix feComponentTransfer feComposite
   feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile`.split(
    /\s+/,
  ),
);

export const attributes: ReadonlySet<string> = new Set(
  `id class version baseProfile viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points transform offset dx dy
   rotate fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask
   clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform gradientUnits
   gradientTransform spreadMethod stop-color stop-opacity preserveAspectRatio vector-effect shape-rendering
   text-rendering font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing
   word-spacing textLength lengthAdjust role aria-label aria-hidden aria-labelledby focusable style type
   filter filterUnits primitiveUnits color-interpolation color-interpolation-filters flood-color flood-opacity
   in in2 result mode operator k1 k2 k3 k4 values stdDeviation radius tableValues slope intercept amplitude exponent
   enable-background paint-order isolation mask-type font-variant font-stretch
   marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient`.split(/\s+/),
);
