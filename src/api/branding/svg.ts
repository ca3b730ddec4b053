import { SaxesParser, type SaxesTagNS } from 'saxes';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';
const deepest = 64;

const elements: ReadonlySet<string> = new Set(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc
   linearGradient radialGradient stop clipPath mask pattern`.split(/\s+/),
);

const attributes: ReadonlySet<string> = new Set(
  `id class version viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points transform offset dx dy rotate
   fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask
   clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform gradientUnits
   gradientTransform spreadMethod stop-color stop-opacity preserveAspectRatio vector-effect shape-rendering
   text-rendering font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing
   word-spacing textLength lengthAdjust role aria-label aria-hidden aria-labelledby focusable style`.split(/\s+/),
);

/**
 * Why a text is no logo, or undefined when it is one. Only what is listed is allowed: nothing that runs, nothing that
 * loads from outside. It is judged and never repaired.
 */
export function svgProblem(text: string): string | undefined {
  const parser = new SaxesParser({ xmlns: true });
  let problem: string | undefined;
  let depth = 0;
  let roots = 0;
  const refuse = (why: string) => {
    problem ??= why;
  };
  parser.on('error', (error) => refuse(`is not well-formed XML (${error.message})`));
  parser.on('doctype', () => refuse('has a DOCTYPE'));
  parser.on('processinginstruction', ({ target }) => refuse(`has the processing instruction ${target}`));
  parser.on('opentag', (tag) => {
    depth++;
    if (depth > deepest) refuse(`is nested deeper than ${deepest} elements`);
    if (depth === 1) {
      roots++;
      if (tag.local !== 'svg') refuse('does not begin with an svg element');
      else if (!validViewBox(tag.attributes['viewBox']?.value)) refuse('has no viewBox');
    }
    const why = tagProblem(tag);
    if (why !== undefined) refuse(why);
  });
  parser.on('closetag', () => {
    depth--;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    refuse(`is not well-formed XML (${String(error)})`);
  }
  return problem ?? (roots === 1 ? undefined : 'is empty');
}

function tagProblem(tag: SaxesTagNS): string | undefined {
  if (tag.uri !== svgNamespace || !elements.has(tag.local)) return `has the element ${tag.name}`;
  for (const attribute of Object.values(tag.attributes)) {
    const why = attributeProblem(attribute);
    if (why !== undefined) return `${why} on ${tag.name}`;
  }
  return undefined;
}

function attributeProblem({ name, prefix, local, uri, value }: SaxesTagNS['attributes'][string]): string | undefined {
  if (prefix === 'xmlns' || name === 'xmlns') {
    return value === svgNamespace || value === xlinkNamespace
      ? undefined
      : `declares the namespace ${value.slice(0, 80)}`;
  }
  if (local === 'href' && (uri === '' || uri === xlinkNamespace)) {
    return /^#[\w.:-]{1,200}$/.test(value) ? undefined : `has a ${name} that leads outside`;
  }
  if (name === 'xml:space' || name === 'xml:lang') return undefined;
  if (uri !== '' || !attributes.has(local)) return `has the attribute ${name}`;
  return valueProblem(name, value);
}

/** A paint or a style may point into the drawing by `url(#name)`, and nowhere else. */
function valueProblem(name: string, value: string): string | undefined {
  const plain = value.replace(/url\(\s*(['"]?)#[\w.:-]{1,200}\1\s*\)/g, '');
  if (/url\s*\(|image|expression|javascript|data:|https?:|\/\/|@|\\|\/\*|[<>{}]|var\s*\(|env\s*\(/i.test(plain)) {
    return `has a value of ${name} that is not allowed`;
  }
  return undefined;
}

function validViewBox(value: string | undefined): boolean {
  const numbers = (value ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return numbers.length === 4 && numbers.every(Number.isFinite) && numbers[2]! > 0 && numbers[3]! > 0;
}
