/**
 * Types and members (`Type` or `Type.member`) that are written here and read somewhere else, with who that is: whoever gets an
 * answer, a frame or a manifest whole.
 */
export const readElsewhere: ReadonlyMap<string, string> = new Map([
  ['DeleteOptions', 'the apiserver, as the body of a deletion'],
  ['StatusDetails', 'nobody but the contract suite: how the apiserver words a refusal'],
  ['SatellitePlacement', 'the apiserver, as a part of a manifest'],
  ['CriticalPath', 'the web app, in the last frame of a wake'],
  ['HibernationProgress', 'the web app, in the frames of a hibernation'],
  ['RedirectPlan', 'the web app, in the frame of what a dry run would do'],
  ['DeliveryEntry', 'the web app, in the frame of the last deliveries'],
  ['EstimateReport', 'whoever asks for the costs'],
  ['DatabaseCost', 'whoever asks for the costs'],
  ['FormulaStep', 'whoever asks how the savings are reckoned'],
  ['Saved', 'whoever asks for the savings'],
  ['ResourceType.objects', 'the compiler: it carries the type of the objects, and there is no value'],
  ['Uncapped', 'whoever asks for the costs'],
  ['FormulaInput', 'whoever asks how the savings are reckoned'],
  ['HibernationTier', 'the web app, in the frames of a hibernation'],
  ['WorkloadProgress', 'the web app, in the frames of a wake'],
  ['TierState', 'whoever reads the stored wake'],
  ['SignedRequest', 'the verifier of signatures, which has a type of its own for it'],
  ['HttpsTransport.close', 'the cluster suite, which ends its connections'],
  ['RequestCall', 'the handlers, each of which knows it as the call of its operation'],
  ['ServiceView', 'whatever decides on a Service, which knows it by its own type'],
  ['Rebuilt.records', 'the laws of rebuilding; the command line tells the sentences alone'],
  ['WakeEnding.left', 'the laws of a wake, which find each workload in exactly one list'],
]);
