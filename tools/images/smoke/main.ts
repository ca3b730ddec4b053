// npm run images:smoke -- controller=ROOT api=ROOT frontend=ROOT satellite=ROOT
// Starts each unpacked image (buildah mount, docker export) as a container of the chart would, and asks whether it answers.

import { type ImageName, imageNames } from '../image-specs.ts';
import { smoke, smokeProblems } from './smoke.ts';

const given = process.argv.slice(2).map((word) => word.split('=') as [ImageName, string | undefined]);
const wrong = given.find(([name, root]) => !imageNames.includes(name) || !root);
if (given.length === 0 || wrong !== undefined) {
  console.error(
    `Name each image with its root, such as controller=/mnt/controller; there are ${imageNames.join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, root] of given) {
  const seen = await smoke(name, root ?? '');
  const problems = smokeProblems(seen);
  const { answered, peakMebibytes, limitMebibytes, self, larger } = seen;
  const memory = peakMebibytes === undefined ? 'no cgroup' : `peak ${peakMebibytes} of ${limitMebibytes} MiB`;
  const heaps = `heap ${self.heapMebibytes} and ${larger.heapMebibytes} MiB`;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${answered ?? 'no answer'}, ${memory}, ${heaps}`);
  if (problems.length === 0) continue;
  console.log([...problems, seen.log].join('\n'));
  process.exitCode = 1;
}
