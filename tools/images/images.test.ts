import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { type ImageConfig, imageNames, imageSpecs } from './image-specs.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('images/Dockerfile');

/** The lines of one stage, up to the next. */
function stage(name: string): string {
  const [, body = ''] =
    new RegExp(`^FROM \\S+ AS ${name}\\n([\\s\\S]*?)(?=^FROM |$(?![\\s\\S]))`, 'm').exec(dockerfile) ?? [];
  return body;
}

function variables(): Readonly<Record<string, string>> {
  const line = /^ENV (.*)$/m.exec(stage('base'))?.[1] ?? '';
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=')));
}

function declared(name: string): ImageConfig {
  const body = stage(name);
  const entrypoint = /^ENTRYPOINT (.*)$/m.exec(body)?.[1] ?? '[]';
  const ports = /^EXPOSE (.*)$/m.exec(body)?.[1]?.split(' ').map(Number) ?? [];
  const user = Number(/^USER (\d+)$/m.exec(body)?.[1]);
  const workingDirectory = /^WORKDIR (.*)$/m.exec(stage('base'))?.[1] ?? '/';
  return { user, workingDirectory, entrypoint: JSON.parse(entrypoint) as string[], env: variables(), ports };
}

describe('the Dockerfile', () => {
  it.each(imageNames)('starts %s as the file trees say', (name) => {
    expect(declared(name)).toEqual(imageSpecs[name].config);
  });

  it.each(imageNames)('copies into %s its own tree alone', (name) => {
    expect(stage(name).match(/^COPY .*$/gm)).toEqual([`COPY --from=build /src/dist/images/${name}/ /`]);
  });

  const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+) AS/gm)].map(([, image]) => image ?? '');
  const outside = bases.filter((image) => image.includes(':'));

  it('takes every image from outside by its digest, the one that would read this file included', () => {
    expect(outside).toHaveLength(3);
    expect(outside.filter((image) => !/:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
    expect(dockerfile).not.toMatch(/^#\s*syntax\s*=/m);
  });

  it('uses the Node that the package pins, to build as well as to run', () => {
    const node = outside.filter((image) => image.startsWith('node:')).map((image) => image.split('@'));
    const tag = `node:${packageJson.devDependencies.node}-bookworm-slim`;
    expect(node.map(([name]) => name)).toEqual([tag, tag]);
    expect(node[0]?.[1]).toBe(node[1]?.[1]);
  });
});

describe('the bake file', () => {
  const bake = read('images/docker-bake.hcl');

  it('builds every image for both architectures, with SBOM and provenance', () => {
    const list = (key: string) =>
      JSON.parse(new RegExp(`${key}\\s*=\\s*(\\[.*?\\])`).exec(bake)?.[1] ?? '[]') as string[];
    expect(list('process')).toEqual([...imageNames]);
    expect(list('platforms')).toEqual(['linux/amd64', 'linux/arm64']);
    expect(list('attest')).toEqual(['type=provenance,mode=max', 'type=sbom']);
  });

  it('names the images as the chart does', () => {
    const { image } = parse(read('charts/svc/values.yaml')) as {
      image: { registry: string; repositoryPrefix: string } & Record<string, { repository: string }>;
    };
    expect(bake).toContain(`default = "${image.registry}/${image.repositoryPrefix}"`);
    expect(bake).toContain(`default = "${packageJson.version}"`);
    expect(imageNames.map((name) => image[name]?.repository)).toEqual([...imageNames]);
  });
});

describe('the chart', () => {
  const { securityContext } = parse(read('charts/svc/values.yaml')) as {
    securityContext: Record<string, { runAsUser: number }>;
  };

  it.each(Object.keys(securityContext))('runs %s as the user of its image', (name) => {
    const spec = imageNames.find((known) => known === name);
    expect(securityContext[name]?.runAsUser).toBe(spec === undefined ? undefined : imageSpecs[spec].config.user);
  });
});
