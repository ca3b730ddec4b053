import { join } from 'node:path';
import {
  type Expression,
  isArrowFunction,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isTypeAliasDeclaration,
  type Node,
} from 'typescript/unstable/ast';
import { API, type Checker, type Project, type Type, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { MemberUses } from './member-uses.ts';
import { lineAt } from './violation.ts';

/** The program without its tests. */
const productConfig = 'tools/check/product.tsconfig.json';

/** By key of the configuration, as `smtp.port` or `databases.<name>.region`: the places that read it, as `file:line`. */
export type ConfigReads = ReadonlyMap<string, readonly string[]>;

/** A section of the configuration or a key of it, as the compiler knows it. */
interface Part {
  readonly parent: Part | undefined;
  /** The key that it is the value of; undefined for a section. */
  readonly key: string | undefined;
  readonly parts: ReadonlyMap<string, Part>;
}

/**
 * Tells which keys of the configuration the files of a program read. A key is read where the compiler knows it by its symbol, and
 * where its section goes on under another type, which has a member of that name. Two sections with a part in common, such as the
 * reference to a Secret, are told apart by which of them the program reads.
 */
export class ConfigReader {
  readonly #folder: string;
  readonly #api: API;
  readonly #project: Project;
  readonly #byPlace = new Map<string, Part[]>();
  /** By type: of a section, and of the list or map of such. */
  readonly #byType = new Map<number, Part[]>();
  readonly #records = new Map<number, Part[]>();
  /** Of every section and key. */
  readonly #names = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#api = new API({ cwd: folder });
    const config = join(folder, productConfig);
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`${config} is not there`);
    this.#project = project;
    this.#describe(this.#configType(), '', undefined);
  }

  close(): void {
    this.#api.close();
  }

  readBy(files: readonly string[]): ConfigReads {
    const found = new Map<Part, Set<string>>();
    const note = (part: Part, place: string) => found.set(part, (found.get(part) ?? new Set()).add(place));
    for (const file of files) this.#readIn(file, note);
    const isRead = (part: Part | undefined): boolean =>
      part === undefined || part.parent === undefined || (found.has(part) && isRead(part.parent));
    const reads = new Map<string, readonly string[]>();
    for (const [part, places] of found) if (part.key !== undefined && isRead(part)) reads.set(part.key, [...places]);
    return reads;
  }

  get #checker(): Checker {
    return this.#project.checker;
  }

  #configType(): Type {
    let found: Type | undefined;
    this.#project.program.getSourceFile(join(this.#folder, 'src/config/config-node.ts'))?.forEachChild((node) => {
      if (!isTypeAliasDeclaration(node) || node.name.text !== 'Config') return;
      found = this.#checker.getTypeFromTypeNode(node.type);
    });
    if (found === undefined) throw new Error('src/config/config-node.ts has no type Config');
    return found;
  }

  #describe(type: Type, at: string, parent: Part | undefined): Part {
    const parts = new Map<string, Part>();
    const shapes = this.#shapesOf(type);
    const records = shapes.filter(({ type: one }) => this.#membersOf(one).length > 0);
    const isMap = shapes.some(({ suffix }) => suffix === '.<name>');
    const part: Part = { parent, key: records.length === 0 ? `${at}${isMap ? '.<name>' : ''}` : undefined, parts };
    for (const { type: record, suffix, passed } of records) {
      for (const { id } of passed) push(this.#byType, id, part);
      push(this.#records, record.id, part);
      this.#describeMembers(record, at === '' ? '' : `${at}${suffix}.`, part, parts);
    }
    return part;
  }

  #describeMembers(record: Type, before: string, section: Part, parts: Map<string, Part>): void {
    for (const symbol of this.#membersOf(record)) {
      const of = this.#checker.getTypeOfSymbol(symbol);
      if (of === undefined) continue;
      const member = this.#describe(of, `${before}${symbol.name}`, section);
      parts.set(symbol.name, member);
      this.#names.add(symbol.name);
      for (const place of placesOf(symbol)) push(this.#byPlace, place, member);
    }
  }

  /** What a value of the type is made of in the end: itself, or the entries of a list or a map; with each type on the way. */
  #shapesOf(type: Type, suffix = '', passed: readonly Type[] = []): readonly Shape[] {
    const way = [...passed, type];
    if (type.isUnionType()) return type.getTypes().flatMap((one) => this.#shapesOf(one, suffix, way));
    if (this.#checker.isArrayType(type) && type.isTypeReference()) {
      const [item] = this.#checker.getTypeArguments(type);
      return item === undefined ? [] : this.#shapesOf(item, `${suffix}[]`, way);
    }
    if (!type.isObjectType() && !type.isIntersectionType()) return [{ type, suffix, passed: way }];
    const [entry] = this.#checker.getIndexInfosOfType(type);
    return entry === undefined
      ? [{ type, suffix, passed: way }]
      : this.#shapesOf(entry.valueType, `${suffix}.<name>`, way);
  }

  #membersOf(type: Type): readonly TypeSymbol[] {
    return type.isObjectType() || type.isIntersectionType() ? this.#checker.getPropertiesOfType(type) : [];
  }

  #readIn(file: string, note: Note): void {
    const source = this.#project.program.getSourceFile(join(this.#folder, file));
    if (source === undefined) return;
    const found = new MemberUses();
    found.read(file, source);
    const noteAt = (node: Node) => (part: Part) => note(part, `${file}:${lineAt(source.text, node.getStart())}`);
    this.#byName(found, noteAt);
    this.#byWord(found, noteAt);
    this.#spread(found, noteAt);
    this.#handedOn(source, noteAt);
  }

  /** `x.name`, and `const { name } = x`. */
  #byName({ uses }: MemberUses, noteAt: NoteAt): void {
    const known = uses.filter(({ name }) => this.#names.has(name));
    const types = known.length === 0 ? [] : this.#checker.getTypeAtLocation(known.map(({ of }) => of));
    known.forEach(({ name, at, of }, index) => {
      const type = types[index];
      const places = placesOf(type && this.#checker.getPropertyOfType(type, name));
      places.flatMap((place) => this.#byPlace.get(place) ?? []).forEach(noteAt(at ?? of));
    });
  }

  /** `x[word]`, where the word is one of a few. */
  #byWord({ lookUps }: MemberUses, noteAt: NoteAt): void {
    for (const { of, key } of lookUps) {
      const sections = this.#sectionsAt(of, this.#records);
      const words = sections.length === 0 ? [] : wordsOf(this.#checker.getTypeAtLocation(key));
      for (const { parts } of sections) words.flatMap((word) => parts.get(word) ?? []).forEach(noteAt(of));
    }
  }

  #spread({ spreads }: MemberUses, noteAt: NoteAt): void {
    for (const { into, of } of spreads) {
      const sections = this.#sectionsAt(of, this.#records);
      const as = sections.length === 0 ? undefined : this.#checker.getContextualType(into);
      for (const section of sections) {
        if (as !== undefined) this.#goesOn(section, as, noteAt(of));
        else [...section.parts.values()].forEach(noteAt(of));
      }
    }
  }

  #handedOn(source: Node, noteAt: NoteAt): void {
    const nodes = handedOn(source);
    const types = nodes.length === 0 ? [] : this.#checker.getTypeAtLocation(nodes);
    nodes.forEach((node, index) => {
      const id = types[index]?.id;
      const sections = (id !== undefined && this.#byType.get(id)) || [];
      const as = sections.length === 0 ? undefined : this.#typeExpectedOf(node);
      if (as === undefined || as.id === id) return;
      for (const section of sections) this.#goesOn(section, as, noteAt(node));
    });
  }

  #sectionsAt(node: Node, by: ReadonlyMap<number, readonly Part[]>): readonly Part[] {
    const type = this.#checker.getTypeAtLocation(node);
    return (type && by.get(type.id)) ?? [];
  }

  #typeExpectedOf(node: Node): Type | undefined {
    const { parent } = node;
    if (!isShorthandPropertyAssignment(parent) || !isIdentifier(node))
      return this.#checker.getContextualType(node as Expression);
    const literal = this.#checker.getContextualType(parent.parent as Expression);
    const member = literal && this.#checker.getPropertyOfType(literal, node.text);
    return member && this.#checker.getTypeOfSymbol(member);
  }

  /** Under another type: what it has of the section is read. */
  #goesOn(section: Part, as: Type, note: (part: Part) => void): void {
    for (const { type } of this.#shapesOf(as)) {
      if ((this.#byType.get(type.id) ?? []).includes(section)) continue;
      for (const [name, part] of section.parts) {
        const symbol = this.#membersOf(type).find((one) => one.name === name);
        const of = symbol && this.#checker.getTypeOfSymbol(symbol);
        if (of === undefined) continue;
        note(part);
        this.#goesOn(part, of, note);
      }
    }
  }
}

type Note = (part: Part, place: string) => void;
type NoteAt = (node: Node) => (part: Part) => void;

interface Shape {
  readonly type: Type;
  readonly suffix: string;
  readonly passed: readonly Type[];
}

/** Values that go on as something else: arguments, values of literals, what is returned. */
function handedOn(source: Node): readonly Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) || isNewExpression(node)) found.push(...(node.arguments ?? []));
    else if (isPropertyAssignment(node)) found.push(node.initializer);
    else if (isShorthandPropertyAssignment(node)) found.push(node.name);
    else if (isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    else if (isArrowFunction(node)) found.push(node.body);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function wordsOf(type: Type | undefined): readonly string[] {
  if (type?.isUnionType()) return type.getTypes().flatMap(wordsOf);
  return type?.isStringLiteralType() ? [String(type.value)] : [];
}

function placesOf(symbol: TypeSymbol | undefined): readonly string[] {
  return (symbol?.declarations ?? []).map(({ path, index }) => `${path}#${index}`);
}
