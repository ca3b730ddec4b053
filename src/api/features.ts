import type { Features } from './ports.ts';

const noFigures = async () => ({
  enabled: true,
  available: false,
  message: 'No figures have been collected yet.',
  report: null,
});

/** What is answered where nobody provides a feature: that there is nothing, not made-up figures. */
export const noFeatures: Features = {
  insights: noFigures,
  costs: noFigures,
  testNotification: async () => undefined,
  externalWake: { verify: async () => ({ ok: false }) },
};
