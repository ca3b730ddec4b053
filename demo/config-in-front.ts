type Settings = Readonly<Record<string, unknown>>;

export interface FrontOptions {
  /** The configuration of the release in that cluster, if there is one. */
  readonly installed?: Settings;
  /** What stands in for it otherwise. */
  readonly general: Settings;
  /** What the demo needs of its own, whichever of the two it is: its address. */
  readonly own: Settings;
  /** May sign in here, whoever may in the release. */
  readonly admin: string;
  /** Without it nothing is changed, whatever the release's own configuration says. */
  readonly act: boolean;
}

/** The configuration with which the demo runs on a real cluster: in front of the cluster, and not in it. */
export function configInFront({ installed, general, own, admin, act }: FrontOptions): Settings {
  const base = installed ?? general;
  const auth = section(base, 'auth');
  const admins = Array.isArray(auth['adminUsers']) ? auth['adminUsers'] : [];
  const operations = section(base, 'operations');
  return {
    ...base,
    ...own,
    auth: { ...auth, adminUsers: [...admins, admin] },
    operations: { ...operations, dryRun: !act || operations['dryRun'] === true },
  };
}

function section(settings: Settings, name: string): Settings {
  const value = settings[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {};
}
