import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: folder,
  // The instance may live under a path prefix that only its configuration knows.
  base: './',
  plugins: [react()],
  build: {
    outDir: `${folder}../dist/web`,
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    // The polyfill is an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    // A data: script or style would need a weaker policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, proxy: { '/api': { target: 'http://127.0.0.1:8080', changeOrigin: false } } },
});
