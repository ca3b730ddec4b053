/** One program of a project that lives beside the service in a cluster, as its own release has it. */
export interface NeighbourRecipe {
  /** Of the Go module, as the module proxy knows it. */
  readonly module: string;
  readonly version: string;
  /** The hash that a go.sum would hold: the version is then one set of files for ever. */
  readonly sum: string;
  /** Folders of the repository that are modules of their own, which the module's archive leaves out, with their hashes. */
  readonly nested?: Readonly<Record<string, string>>;
  /** The package of the program. */
  readonly target: string;
  /** Folder with the CustomResourceDefinitions of this version. */
  readonly definitions: string;
}

/** In each case the newest that the project's own Go builds and whose dependencies the module proxy has to the last one. */
export const neighbourRecipes = {
  'kustomize-controller': {
    module: 'github.com/fluxcd/kustomize-controller',
    version: 'v1.9.4',
    sum: 'h1:VBnBMhnemqnE5Zca2AoG2gC4472MoiTmk9rdqvLoMcY=',
    nested: { api: 'h1:3Hf5322qL5G9Sb6m3oTcv4xQo9xDIi8vLOFQQvW8Jug=' },
    target: '.',
    definitions: 'config/crd/bases',
  },
  'source-controller': {
    module: 'github.com/fluxcd/source-controller',
    version: 'v1.9.3',
    sum: 'h1:Zj1gfvK/2MFIm/K3vh5fSHoJBoggLKMuLWf5ZEmaF0w=',
    nested: { api: 'h1:Z5Id6iPV+n1OY/14dpC18PaHRATzAyZkjAzDNYxSl4E=' },
    target: '.',
    definitions: 'config/crd/bases',
  },
  'argo-rollouts': {
    module: 'github.com/argoproj/argo-rollouts',
    version: 'v1.10.1',
    sum: 'h1:6oyVPGiHHxu3ixkT6mngemh88HLPDoTX1IwO6KNR1Y4=',
    target: './cmd/rollouts-controller',
    definitions: 'manifests/crds',
  },
  keda: {
    module: 'github.com/kedacore/keda/v2',
    version: 'v2.21.0',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
    target: './cmd/operator',
    definitions: 'config/crd/bases',
  },
  // v3.2.12 calls a function that it does not have; since v3.3 its go.mod looks for a module of its own repository (gitops-engine)
  // that the proxy does not have.
  'argo-cd': {
    module: 'github.com/argoproj/argo-cd/v3',
    version: 'v3.2.11',
    sum: 'h1:3hkR11XCp/nlyM2cWr3qeUSGuZgi3JkFdMpzgL5qOR8=',
    target: './cmd',
    definitions: 'manifests/crds',
  },
} as const satisfies Readonly<Record<string, NeighbourRecipe>>;

export type NeighbourName = keyof typeof neighbourRecipes;
