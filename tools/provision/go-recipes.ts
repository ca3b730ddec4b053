import { requiredVersion } from './build-key.ts';

export const controlPlaneNames = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
] as const;
export type ControlPlaneName = (typeof controlPlaneNames)[number];

/** How one Go module under tools/ becomes a binary, and the names it answers to. */
export interface GoRecipe {
  /** Folder under tools/. */
  readonly module: string;
  readonly inputFiles: readonly string[];
  readonly target: string;
  readonly binary: string;
  /** Names that the one binary is linked as; it acts by the name it is called with. */
  readonly links: readonly string[];
  version(goMod: string): string;
  ldflags(version: string): string;
}

export const controlPlaneRecipe: GoRecipe = {
  module: 'controlplane',
  inputFiles: ['go.mod', 'go.sum', 'main.go'],
  target: '.',
  binary: 'kubeplane',
  links: controlPlaneNames,
  version: (goMod) => requiredVersion(goMod, 'k8s.io/kubernetes'),
  ldflags: (version) => {
    const [major, minor] = version.slice(1).split('.');
    const base = 'k8s.io/component-base/version';
    return `-s -w -X ${base}.gitVersion=${version} -X ${base}.gitMajor=${major} -X ${base}.gitMinor=${minor}`;
  },
};

export const helmRecipe: GoRecipe = {
  module: 'helm',
  inputFiles: ['go.mod', 'go.sum'],
  target: 'helm.sh/helm/v4/cmd/helm',
  binary: 'helm',
  links: [],
  version: (goMod) => requiredVersion(goMod, 'helm.sh/helm/v4'),
  ldflags: (version) => `-s -w -X helm.sh/helm/v4/internal/version.version=${version}`,
};
