const embedded = /^data:image\/(?:png|jpe?g|webp);base64,([A-Za-z0-9+/=\s]+)$/i;

/**
 * How many pixels a picture has that lies in the drawing itself; undefined for anything else. Nothing is loaded for one, but a
 * few kilobytes of it can be a billion pixels to whoever decodes them: its own head says how many.
 */
export function embeddedPixels(href: string): number | undefined {
  const text = embedded.exec(href.trim())?.[1];
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const size = pngSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size === undefined || size.width === 0 || size.height === 0 ? undefined : size.width * size.height;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function pngSize(bytes: Buffer): Size | undefined {
  const isPng = bytes.length >= 24 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function webpSize(bytes: Buffer): Size | undefined {
  const isWebp = bytes.length >= 30 && bytes.toString('latin1', 0, 4) === 'RIFF';
  if (!isWebp || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** Its size is in the frame header, behind segments of any length. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    // Any number of these may stand before a marker.
    if (marker === 0xff) at++;
    else if (isFrameHeader(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** 0xC0 to 0xCF, but for three that are tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
