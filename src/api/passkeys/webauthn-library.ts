/**
 * Loaded when it is first used. What it checks certificates with asks for the polyfill and does not bring it: a bundle
 * drops the import that has it by accident when the packages are loaded one by one.
 */
export async function webauthnLibrary() {
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
}
