import type { JsonObject } from '../../store/json-value.ts';

/** A core event as events.k8s.io/v1 shows it. */
export function servedEvent(event: JsonObject): JsonObject {
  const { involvedObject, message, source, firstTimestamp, lastTimestamp, count, ...named } = event;
  const { reportingComponent, reportingInstance, ...same } = named;
  return without({
    ...same,
    regarding: involvedObject,
    note: message,
    reportingController: reportingComponent === '' ? undefined : reportingComponent,
    reportingInstance: reportingInstance === '' ? undefined : reportingInstance,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
  });
}

/** An events.k8s.io/v1 event as the core group keeps it. */
export function storedEvent(event: JsonObject): JsonObject {
  const {
    regarding,
    note,
    reportingController,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    ...same
  } = event;
  return without({
    ...same,
    involvedObject: regarding ?? {},
    message: note,
    reportingComponent: reportingController,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
  });
}

function without(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
