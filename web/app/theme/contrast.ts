/** Color arithmetic of WCAG 2: enough to keep any brand's accent readable on both grounds. */
type Rgb = readonly [number, number, number];

export function parseHex(color: string): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (match === null) return undefined;
  // Three parts in, three out; map forgets how many.
  return [match[1]!, match[2]!, match[3]!].map((part) => Number.parseInt(part, 16)) as unknown as Rgb;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb; // Three parts in, three out; map forgets how many.
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const white: Rgb = [255, 255, 255];

/** The color, mixed with white in steps until it has the contrast on the ground. */
export function readableOn(ground: string, color: string, least = 4.5): string {
  const on = parseHex(ground);
  const from = parseHex(color);
  if (on === undefined || from === undefined) return color;
  for (let share = 0; share <= 1; share += 0.05) {
    // Three parts in, three out; map forgets how many.
    const mixed = from.map((part, index) => Math.round(part + (white[index]! - part) * share)) as unknown as Rgb;
    if (contrast(mixed, on) >= least) return toHex(mixed);
  }
  return '#ffffff';
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
