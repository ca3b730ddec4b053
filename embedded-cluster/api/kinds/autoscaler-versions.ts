import { arrayOf, isObject, type JsonObject, objectOf, valueAt } from '../../store/json-value.ts';

/** autoscaling/v1 knows one metric, the average CPU use; the others travel in an annotation there and are left out here. */
export function servedAutoscaler(autoscaler: JsonObject): JsonObject {
  const { metrics, behavior: _b, ...spec } = objectOf(autoscaler['spec']);
  const { currentMetrics, conditions: _c, ...status } = objectOf(autoscaler['status']);
  const target = cpuUtilization(arrayOf(metrics), 'target', 'averageUtilization');
  const current = cpuUtilization(arrayOf(currentMetrics), 'current', 'averageUtilization');
  return {
    ...autoscaler,
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

export function storedAutoscaler(autoscaler: JsonObject): JsonObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = objectOf(autoscaler['spec']);
  if (target === undefined) return { ...autoscaler, spec };
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } };
  return { ...autoscaler, spec: { ...spec, metrics: [{ type: 'Resource', resource }] } };
}

function cpuUtilization(metrics: readonly unknown[], part: string, field: string): unknown {
  const cpu = metrics.find((metric) => isObject(metric) && valueAt(metric, 'resource', 'name') === 'cpu');
  return valueAt(cpu, 'resource', part, field);
}
