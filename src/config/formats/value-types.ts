// The language in which the configuration is described. A node is plain data: validation, types, the chart's schema,
// the reference page and the settings view all read the same nodes.

/** A rule for a text that a pattern states wholly or in part. */
export interface TextFormat {
  /** The type shown to people: `duration`, `url`, … */
  readonly name: string;
  /** The rule in words, for the reference page. */
  readonly rule: string;
  /** Refuses nothing that `check` accepts. RE2 syntax, because Helm's schema check is written in Go. */
  readonly pattern: string;
  readonly maxLength: number;
  /** What is wrong and what would be right, or nothing when the text is good. */
  check(text: string): string | undefined;
}

interface Facts {
  readonly description: string;
  /** Added to the rule that follows from the node itself. */
  readonly rule?: string;
}

/** `defaulted`: filled in; `required`: must be given; `optional`: stays absent. */
interface Presence {
  readonly presence: 'defaulted' | 'required' | 'optional';
}

export interface TextNode<T extends string = string> extends Facts, Presence {
  readonly kind: 'text';
  readonly default: T;
  readonly choices?: readonly T[];
  readonly format?: TextFormat;
  readonly maxLength: number;
  /** A URL whose path or user info may be a credential: never quoted, shown as its origin only. */
  readonly secretUrl?: boolean;
  /** YAML 1.1, which Helm reads, turns a bare `on` or `off` into a boolean; such a field takes it back. */
  readonly onOff?: boolean;
}

export interface FlagNode extends Facts, Presence {
  readonly kind: 'flag';
  readonly default: boolean;
}

export interface NumberNode extends Facts, Presence {
  readonly kind: 'number';
  readonly default: number;
  readonly integer: boolean;
  readonly min: number;
  readonly max: number;
}

/** `true`, `false`, a whole number or a text, for places of others that hold any of them. */
export interface ScalarNode extends Facts, Presence {
  readonly kind: 'scalar';
  readonly default: boolean | number | string;
  readonly format: TextFormat;
  readonly max: number;
}

export interface ListNode<I extends Node = Node> extends Facts, Presence {
  readonly kind: 'list';
  readonly item: I;
  readonly default: readonly unknown[];
  readonly maxItems: number;
}

/** Names chosen by the user, each with a value of one shape. */
export interface MapNode<I extends Node = Node> extends Facts, Presence {
  readonly kind: 'map';
  readonly key: TextFormat;
  readonly item: I;
  readonly maxItems: number;
}

export interface Fields {
  readonly [key: string]: Node;
}

export interface RecordNode<F extends Fields = Fields> extends Facts, Presence {
  readonly kind: 'record';
  readonly fields: F;
  /** Described once on the reference page under this name, instead of wherever it is used. */
  readonly sharedName?: string;
}

/** A text, or a record for those who need more. */
export interface EitherNode<T extends TextNode = TextNode, R extends RecordNode = RecordNode> extends Facts, Presence {
  readonly kind: 'either';
  readonly text: T;
  readonly record: R;
}

export type Node = TextNode | FlagNode | NumberNode | ScalarNode | ListNode | MapNode | RecordNode | EitherNode;

export type Optional<N extends Node> = N & { readonly presence: 'optional' };

/** The type of a validated value. */
export type Value<N> =
  N extends TextNode<infer T>
    ? T
    : N extends FlagNode
      ? boolean
      : N extends NumberNode
        ? number
        : N extends ScalarNode
          ? boolean | number | string
          : N extends ListNode<infer I>
            ? readonly Value<I>[]
            : N extends MapNode<infer I>
              ? { readonly [key: string]: Value<I> }
              : N extends RecordNode<infer F>
                ? RecordValue<F>
                : N extends EitherNode<infer T, infer R>
                  ? Value<T> | Value<R>
                  : never;

type RecordValue<F> = {
  readonly [K in keyof F as F[K] extends { readonly presence: 'optional' } ? never : K]: Value<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly presence: 'optional' } ? K : never]?: Value<F[K]>;
};

const longestText = 1024;
const longestList = 1000;

type TextOptions<T extends string> = Facts &
  Partial<Pick<TextNode<T>, 'default' | 'choices' | 'format' | 'maxLength' | 'secretUrl' | 'onOff'>>;

/** A text with a default may be left out; one without must be given. */
export function text(options: TextOptions<string>): TextNode {
  const presence = options.default === undefined ? 'required' : 'defaulted';
  const maxLength = options.maxLength ?? options.format?.maxLength ?? longestText;
  return { kind: 'text', presence, ...options, maxLength, default: options.default ?? '' };
}

export function choice<const T extends string>(
  choices: readonly T[],
  options: Facts & { default?: NoInfer<T> },
): TextNode<T> {
  const presence = options.default === undefined ? 'required' : 'defaulted';
  return {
    kind: 'text',
    presence,
    maxLength: longestText,
    ...options,
    choices,
    default: options.default ?? choices[0]!,
  };
}

export function flag(options: Facts & { default: boolean }): FlagNode {
  return { kind: 'flag', presence: 'defaulted', ...options };
}

interface Bounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export function int(options: Facts & Bounds): NumberNode {
  return { kind: 'number', presence: 'defaulted', integer: true, ...options };
}

export function float(options: Facts & Bounds): NumberNode {
  return { kind: 'number', presence: 'defaulted', integer: false, ...options };
}

export function scalar(options: Facts & Pick<ScalarNode, 'format' | 'max'>): ScalarNode {
  return { kind: 'scalar', presence: 'required', ...options, default: '' };
}

export function list<I extends Node>(
  item: I,
  options: Facts & { default?: readonly Value<I>[]; maxItems?: number },
): ListNode<I> {
  return {
    kind: 'list',
    presence: 'defaulted',
    item,
    maxItems: longestList,
    ...options,
    default: options.default ?? [],
  };
}

export function map<I extends Node>(key: TextFormat, item: I, options: Facts & { maxItems?: number }): MapNode<I> {
  return { kind: 'map', presence: 'defaulted', key, item, maxItems: longestList, ...options };
}

export function record<const F extends Fields>(fields: F, options: Facts & { sharedName?: string }): RecordNode<F> {
  return { kind: 'record', presence: 'defaulted', fields, ...options };
}

export function either<T extends TextNode, R extends RecordNode>(
  of: { text: T; record: R },
  facts: Facts,
): EitherNode<T, R> {
  return { kind: 'either', presence: 'required', ...of, ...facts };
}

export function optional<N extends Node>(node: N): Optional<N> {
  return { ...node, presence: 'optional' };
}

export function required<N extends Node>(node: N): N & { readonly presence: 'required' } {
  return { ...node, presence: 'required' };
}
