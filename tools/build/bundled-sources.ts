import { build } from 'esbuild';

/** The files of ours of which something is left in the bundle of an entry, once it is shaken. */
export async function bundledSources(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([file, { bytesInOutput }]) => file.startsWith('src/') && bytesInOutput > 0)
      .map(([file]) => file),
  );
}
