// The first file of the demo. Behind it are over a thousand TypeScript files: stripping and compiling them is half of a
// start, so what came out is kept between starts. That must be said before the first of them is imported, and by a file
// that is plain JavaScript, so that the compiler of TypeScript is not loaded at all when nothing has changed.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../.cache/demo', import.meta.url)));
const { runDemo } = await import('./run-demo.ts');
await runDemo(process.argv.slice(2));
