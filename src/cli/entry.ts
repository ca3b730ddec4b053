#!/usr/bin/env node
// The first file of the bundled command line. An older Node must be able to read it, so it holds nothing but this question;
// without it such a Node runs half of the program, or none of it, and ends as if all were well.
const needed = 26;
const { node } = process.versions;
if (Number.parseInt(node, 10) < needed) {
  process.stderr.write(`svc needs Node.js ${needed} or newer; this is ${node}.\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('./main.ts');
  await main();
}
