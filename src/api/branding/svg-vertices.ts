/** How many numbers a segment takes at least. The flags of an arc may be written without spaces, as one. */
const numbersOf: Readonly<Record<string, number>> = { m: 2, l: 2, t: 2, h: 1, v: 1, c: 6, s: 4, q: 4, a: 4, z: 1 };
const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** At how many places a marker can stand on an element, at most. */
export function verticesOf(element: string, path: string, points: string): number {
  switch (element) {
    case 'line':
      return 2;
    case 'polyline':
    case 'polygon':
      return Math.ceil(countNumbers(points) / 2) + 1;
    case 'path':
      return [...path.matchAll(/([mlthvcsqaz])([^mlthvcsqaz]*)/gi)].reduce(
        (sum, [, command, numbers]) =>
          sum + Math.max(1, Math.ceil(countNumbers(numbers!) / numbersOf[command!.toLowerCase()]!)),
        0,
      );
    default:
      return 0;
  }
}

function countNumbers(text: string): number {
  return text.match(number)?.length ?? 0;
}
