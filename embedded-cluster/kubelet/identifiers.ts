const digests = new Map<string, string>();

/** The image with a digest that depends on its reference alone. */
export function imageDigest(image: string): string {
  if (image.includes('@')) return image;
  let digest = digests.get(image);
  if (digest === undefined) {
    digest = `${image}@sha256:${Array.from({ length: 8 }, (_, lane) => hex8(image, lane)).join('')}`;
    digests.set(image, digest);
  }
  return digest;
}

/** One id an attempt of a container: the pod's uid, the container's name and the attempt in 64 digits. */
export function containerId(podUid: string, name: string, attempt: number): string {
  const own = hex8(name, 0) + hex8(name, 1) + hex8(name, 2) + attempt.toString(16).padStart(8, '0');
  return `containerd://${podUid.replaceAll('-', '').padEnd(32, '0')}${own}`;
}

function hex8(text: string, lane: number): string {
  let hash = 0x811c9dc5 ^ (lane * 0x9e3779b1);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
