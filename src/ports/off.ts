/** A feature that is off, with the reason in words: `config.awsCosts.enabled is false`. Nothing stands in for it in silence. */
export interface Off {
  readonly off: string;
}

export function isOff(feature: object): feature is Off {
  return 'off' in feature;
}
