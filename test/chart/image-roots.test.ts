import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageNames } from '../../tools/images/image-specs.ts';
import { completeRoot } from '../../tools/images/smoke/complete-root.ts';
import { smoke, smokeProblems } from '../../tools/images/smoke/smoke.ts';
import { type AssembledImages, assembleImages } from './harness/images.ts';

let images: AssembledImages;

beforeAll(async () => {
  images = await assembleImages(imageNames);
});
afterAll(() => images?.remove());

describe('an image, entered as a container enters it', () => {
  it.each(imageNames)('%s starts from its own files, as the Dockerfile says, and answers', async (name) => {
    const root = join(images.folder, name);
    await completeRoot(root);
    const seen = await smoke(name, root);
    console.log(`${name}: ${seen.peakMebibytes ?? '?'} of ${seen.limitMebibytes} MiB`);
    expect({ problems: smokeProblems(seen), log: seen.log }).toEqual({ problems: [], log: expect.anything() });
  });
});
