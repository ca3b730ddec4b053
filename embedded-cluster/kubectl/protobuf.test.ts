import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './protobuf.ts';

/** A length-delimited field; the bytes stand in a string, one each. */
function field(number: number, content: string): string {
  return String.fromCharCode((number << 3) | 2, content.length) + content;
}

function count(number: number, value: number): string {
  return String.fromCharCode(number << 3, value);
}

function body(apiVersion: string, kind: string, message: string): string {
  return `k8s\u0000${field(1, field(1, apiVersion) + field(2, kind))}${field(2, message)}`;
}

describe('decodeProtobuf', () => {
  it('reads the question whether one may', () => {
    const attributes = field(1, 'shop') + field(2, 'list') + field(3, '') + field(5, 'pods');
    const review = field(1, '') + field(2, field(1, attributes)) + field(3, '');
    expect(decodeProtobuf(body('authorization.k8s.io/v1', 'SelfSubjectAccessReview', review))).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { namespace: 'shop', verb: 'list', resource: 'pods' } },
    });
  });

  it('reads maps, bytes and text beyond ASCII', () => {
    const metadata = field(1, field(1, 'a'));
    const data = field(2, field(1, 'k') + field(2, '\u00c3\u00bc'));
    const binary = field(3, field(1, 'b') + field(2, '\u0000\u00ff'));
    expect(decodeProtobuf(body('v1', 'ConfigMap', metadata + data + binary))).toMatchObject({
      metadata: { name: 'a' },
      data: { k: 'ü' },
      binaryData: { b: 'AP8=' },
    });
  });

  it('reads lists of messages, numbers and ports by number or by name', () => {
    const port = (number: number, target: string) => field(1, count(3, number) + field(4, target));
    const spec = port(80, count(1, 0) + count(2, 90)) + port(81, count(1, 1) + field(3, 'http'));
    expect(decodeProtobuf(body('v1', 'Service', field(2, spec)))).toMatchObject({
      spec: {
        ports: [
          { port: 80, targetPort: 90 },
          { port: 81, targetPort: 'http' },
        ],
      },
    });
  });

  it('knows nothing of other kinds and other bodies', () => {
    expect(decodeProtobuf(body('v1', 'Pod', ''))).toBeUndefined();
    expect(decodeProtobuf('{}')).toBeUndefined();
  });
});
