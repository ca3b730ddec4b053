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
  return { user, entrypoint: JSON.parse(entrypoint) as string[], env: variables(), ports };
}

describe('the Dockerfile', () => {
  it.each(imageNames)('starts %s as the file trees say', (name) => {
    expect(declared(name)).toEqual(imageSpecs[name].config);
  });

  it.each(imageNames)('copies into %s its own tree alone', (name) => {
    expect(stage(name).match(/^COPY .*$/gm)).toEqual([`COPY --from=build /src/dist/images/${name}/ /`]);
  });

  it('uses the Node that the package pins', () => {
    expect(/^ARG NODE_VERSION=(.*)$/m.exec(dockerfile)?.[1]).toBe(packageJson.devDependencies.node);
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
