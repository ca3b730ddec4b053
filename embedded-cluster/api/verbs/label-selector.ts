import { ApiError } from '../../store/api-error.ts';
import { arrayOf, objectOf, textOf } from '../../store/json-value.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

/** A parsed selector; undefined selects everything. */
export type LabelMatcher = ((labels: Labels | undefined) => boolean) | undefined;

const NO_LABELS: Labels = {};
const KEY = `(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?`;
const VALUE = `(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?`;
const EXISTS = new RegExp(`^(!)?\\s*(${KEY})$`);
const EQUALS = new RegExp(`^(${KEY})\\s*(=|==|!=)\\s*(${VALUE})$`);
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const COMPARE = new RegExp(`^(${KEY})\\s*(<|>)\\s*(-?\\d+)$`);

export function parseLabelSelector(text: string | null): LabelMatcher {
  if (text === null || text.trim() === '') return undefined;
  const requirements = splitOutsideBrackets(text).map((part) => parseRequirement(part.trim()));
  return (labels) => requirements.every((matches) => matches(labels ?? NO_LABELS));
}

function splitOutsideBrackets(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}

function parseRequirement(part: string): Requirement {
  const set = SET.exec(part);
  if (set !== null) return setRequirement(set[1]!, set[2]!, set[3]!);
  const equals = EQUALS.exec(part);
  if (equals !== null) {
    const [, key, operator, value] = equals;
    return operator === '!=' ? (labels) => labels[key!] !== value : (labels) => labels[key!] === value;
  }
  const exists = EXISTS.exec(part);
  if (exists !== null)
    return exists[1] === '!' ? (labels) => !(exists[2]! in labels) : (labels) => exists[2]! in labels;
  const compare = COMPARE.exec(part);
  if (compare !== null) return comparison(compare[1]!, compare[2]!, Number(compare[3]));
  throw new ApiError(400, 'BadRequest', `unable to parse requirement: ${complaint(part)}`);
}

/** Where the parser of the apiserver would have stumbled. */
function complaint(part: string): string {
  const compared = /^[^=!<>\s]+\s*(?:==|!=|=)\s*(.?)/.exec(part);
  if (compared !== null) return `found '${compared[1]}', expected: identifier`;
  const next = /^\S+\s+(\S+)/.exec(part)?.[1];
  if (next !== undefined) return `found '${next}', expected: in, notin, =, ==, !=, gt, lt`;
  return `found '${part}', expected: !, identifier, or 'end of string'`;
}

function setRequirement(key: string, operator: string, list: string): Requirement {
  const values = new Set(list.split(',').map((value) => value.trim()));
  if (operator === 'in') return (labels) => key in labels && values.has(labels[key]!);
  return (labels) => !(key in labels) || !values.has(labels[key]!);
}

function comparison(key: string, operator: string, bound: number): Requirement {
  return (labels) => {
    const value = Number.parseInt(labels[key] ?? '', 10);
    if (Number.isNaN(value)) return false;
    return operator === '<' ? value < bound : value > bound;
  };
}

/** A `LabelSelector` of an object in the text form that a scale's status shows. */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = objectOf(selector);
  const parts = Object.entries(objectOf(matchLabels)).map(([key, value]) => `${key}=${value}`);
  for (const expression of arrayOf(matchExpressions).map(objectOf)) {
    const key = textOf(expression['key']) ?? '';
    const values = arrayOf(expression['values']).join(',');
    switch (expression['operator']) {
      case 'In':
        parts.push(`${key} in (${values})`);
        break;
      case 'NotIn':
        parts.push(`${key} notin (${values})`);
        break;
      case 'Exists':
        parts.push(key);
        break;
      default:
        parts.push(`!${key}`);
    }
  }
  return parts.sort().join(',');
}
