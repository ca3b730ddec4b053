import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

type Labels = Readonly<Record<string, string>> | undefined;

export function matchesLabels(wanted: Readonly<Record<string, string>> | undefined, labels: Labels): boolean {
  for (const key in wanted) if (labels?.[key] !== wanted[key]) return false;
  return true;
}

/** An empty selector matches everything, an absent one nothing. */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  if (!matchesLabels(selector.matchLabels, labels)) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values }) => {
    const value = labels?.[key];
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    const listed = value !== undefined && (values ?? []).includes(value);
    return operator === 'In' ? listed : !listed;
  });
}
