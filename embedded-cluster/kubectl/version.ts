/** The Kubernetes release whose behaviour this API follows. */
export const VERSION = 'v1.36.4';

export const VERSION_DOCUMENT = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: VERSION,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
};
