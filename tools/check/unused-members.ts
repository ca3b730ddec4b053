import { join, relative } from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import { API, type Project, type Type, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { type Member, MemberUses, type Use } from './member-uses.ts';
import { readElsewhere } from './read-elsewhere.ts';
import { lineAt, type Violation } from './violation.ts';

/** The program without its tests. */
const productConfig = 'tools/check/product.tsconfig.json';

/**
 * Members of interfaces and classes in `src` that no program reads: declared, implemented, perhaps tested, and of no effect.
 * A member is read where the compiler knows it by its symbol. Where a value goes on under another type (a class by its port,
 * ports that are spread into a step), it is read if a member of that name is, of something that its owner fits as a whole, or that
 * its owner is spread into. Another type that only has a member of the same name and type makes it no more read.
 */
export function unusedMembers(folder: string, exempt: ReadonlyMap<string, string> = readElsewhere): Violation[] {
  const api = new API({ cwd: folder });
  try {
    const config = join(folder, productConfig);
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`${config} is not there`);
    return new Search(project, folder).violations(exempt);
  } finally {
    api.close();
  }
}

/** One value that is spread into another. */
interface Spread {
  readonly from: Type;
  readonly to: Type;
}

class Search {
  readonly #project: Project;
  readonly #found = new MemberUses();
  /** Members that nobody was seen to read, by their declaration. */
  readonly #open = new Map<string, Map<string, Member>>();
  /** By name: the types of what a member of that name is read of, with the files that do. */
  readonly #readOf = new Map<string, Map<Type, Set<string>>>();

  constructor(project: Project, folder: string) {
    this.#project = project;
    for (const path of project.program.getSourceFileNames()) {
      const file = relative(folder, path);
      if (!/^(?:src|demo|tools|bench|web\/app)\/.*(?<!\.gen|\.d)\.tsx?$/.test(file)) continue;
      const source = project.program.getSourceFile(path);
      if (source !== undefined) this.#found.read(file, source);
    }
  }

  violations(exempt: ReadonlyMap<string, string>): Violation[] {
    this.#openMembers();
    this.#closeTables();
    this.#closeLookUps();
    this.#closeUses();
    this.#findReaders();
    const spreads = this.#spreads();
    const left = [...this.#open.values()].flatMap((members) => [...members.values()]);
    const unread = left.filter((member) => !this.#goesOn(member, spreads) && !this.#isAskedFromOutside(member));
    return [...problems(unread, exempt)].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  }

  /** A name that one type alone declares, and that is read somewhere, needs no closer look. */
  #openMembers(): void {
    const { members, uses, declared } = this.#found;
    const readIn = Map.groupBy(uses, ({ name }) => name);
    const unclear = members.filter(({ file, name }) => {
      if (!file.startsWith('src/')) return false;
      const readers = readIn.get(name.text) ?? [];
      return declared.get(name.text)! > 1 || !readers.some((use) => canGetTo(file, use.file));
    });
    for (const one of Map.groupBy(unclear, ({ file }) => file).values()) {
      const symbols = this.#project.checker.getSymbolAtLocation(one.map(({ name }) => name));
      one.forEach((member, index) => {
        for (const place of placesOf(symbols[index])) {
          const named = this.#open.get(member.name.text) ?? new Map<string, Member>();
          this.#open.set(member.name.text, named.set(place, member));
        }
      });
    }
  }

  #closeTables(): void {
    const { checker } = this.#project;
    for (const type of checker.getTypeAtLocation(this.#found.tables)) {
      for (const symbol of type?.isClassOrInterface() ? checker.getPropertiesOfType(type) : []) this.#close(symbol);
    }
  }

  /** `channels[channel]`, where the channel is one of a few words. */
  #closeLookUps(): void {
    const { checker } = this.#project;
    for (const one of Map.groupBy(this.#found.lookUps, ({ file }) => file).values()) {
      const keys = checker.getTypeAtLocation(one.map(({ key }) => key));
      one.forEach(({ of }, index) => {
        for (const name of wordsOf(keys[index])) this.#closeMember(name, checker.getTypeAtLocation(of));
      });
    }
  }

  #closeUses(): void {
    const { checker } = this.#project;
    for (const all of Map.groupBy(this.#found.uses, ({ file }) => file).values()) {
      const uses = all.filter(({ name }) => this.#open.has(name));
      const named = uses.filter((use): use is Use & Required<Pick<Use, 'at'>> => use.at !== undefined);
      const symbols = named.length === 0 ? [] : checker.getSymbolAtLocation(named.map(({ at }) => at));
      for (const symbol of symbols) this.#close(symbol);
      const others = uses.filter(({ at }) => at === undefined);
      const types = this.#typesOf(others.map(({ of }) => of));
      for (const { name, of } of others) this.#closeMember(name, types.get(of));
    }
  }

  /** For what nobody was seen to read by its own symbol. */
  #findReaders(): void {
    for (const all of Map.groupBy(this.#found.uses, ({ file }) => file).values()) {
      const uses = all.filter(({ name }) => this.#open.has(name));
      const types = this.#typesOf(uses.map(({ of }) => of));
      for (const { file, name, of } of uses) {
        const type = types.get(of);
        if (type === undefined) continue;
        const readers = this.#readOf.get(name) ?? new Map<Type, Set<string>>();
        this.#readOf.set(name, readers.set(type, (readers.get(type) ?? new Set()).add(file)));
      }
    }
  }

  #typesOf(nodes: readonly Node[]): ReadonlyMap<Node, Type | undefined> {
    const each = [...new Set(nodes)];
    const types = each.length === 0 ? [] : this.#project.checker.getTypeAtLocation(each);
    return new Map(each.map((node, index) => [node, types[index]]));
  }

  #spreads(): readonly Spread[] {
    const { checker } = this.#project;
    return this.#found.spreads.flatMap(({ into, of }) => {
      const [from, to] = [
        checker.getTypeAtLocation(of),
        checker.getContextualType(into) ?? checker.getTypeAtLocation(into),
      ];
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
  }

  #closeMember(name: string, type: Type | undefined): void {
    if (type === undefined || !this.#open.has(name)) return;
    this.#close(this.#project.checker.getPropertyOfType(type, name));
  }

  #close(symbol: TypeSymbol | undefined): void {
    const open = symbol === undefined ? undefined : this.#open.get(symbol.name);
    if (symbol === undefined || open === undefined) return;
    for (const place of placesOf(symbol)) open.delete(place);
    if (open.size === 0) this.#open.delete(symbol.name);
  }

  /** The value goes on under another type, of which a member of that name is read. */
  #goesOn({ file, owner, name }: Member, spreads: readonly Spread[]): boolean {
    const { checker } = this.#project;
    const symbol = owner.name && checker.getSymbolAtLocation(owner.name);
    if (symbol === undefined) return false;
    const readers = [...(this.#readOf.get(name.text) ?? [])]
      .filter(([, files]) => [...files].some((reader) => canGetTo(file, reader)))
      // Everything fits what is not known at all.
      .filter(([type]) => checker.getPropertyOfType(type, name.text) !== undefined)
      .map(([type]) => type);
    const isReadOf = (type: Type) => readers.some((reader) => checker.isTypeAssignableTo(type, reader));
    if (isReadOf(checker.getDeclaredTypeOfSymbol(symbol))) return true;
    const seen = new Set<string>();
    const isSpread = (places: readonly string[]): boolean =>
      spreads.some(({ from, to }) => {
        const isIn = placesOf(checker.getPropertyOfType(from, name.text)).some((place) => places.includes(place));
        if (!isIn) return false;
        const fresh = placesOf(checker.getPropertyOfType(to, name.text)).filter((place) => !seen.has(place));
        for (const place of fresh) seen.add(place);
        // What is not open any more was read by its own symbol.
        if (fresh.some((place) => !this.#isOpen(name.text, place)) || isReadOf(to)) return true;
        return fresh.length > 0 && isSpread(fresh);
      });
    const own = placesOf(checker.getSymbolAtLocation(name));
    for (const place of own) seen.add(place);
    return isSpread(own);
  }

  #isOpen(name: string, place: string): boolean {
    return this.#open.get(name)?.has(place) ?? false;
  }

  /** The name of an error, the handler of a library: the class is one of a package, which reads it. */
  #isAskedFromOutside({ owner, name }: Member): boolean {
    const { checker } = this.#project;
    return (owner.heritageClauses ?? []).some(({ types }) =>
      types.some((parent) => {
        const type = checker.getTypeAtLocation(parent);
        const inherited = type && checker.getPropertyOfType(type, name.text);
        return inherited?.declarations.some(({ path }) => /node_modules|^bundled:/.test(path)) ?? false;
      }),
    );
  }
}

/** A process never gets a value of another one; what is before the processes may come to any of them. */
function canGetTo(declared: string, reader: string): boolean {
  const [mine, other] = [processOf(declared), processOf(reader)];
  return mine === undefined || other === undefined || mine === other || (mine === 'src/api' && other === 'src/cli');
}

function processOf(file: string): string | undefined {
  return /^(?:src\/(?:controller|api|cli|frontend|satellite)|web)(?=\/)/.exec(file)?.[0];
}

function placesOf(symbol: TypeSymbol | undefined): readonly string[] {
  return (symbol?.declarations ?? []).map(({ path, index }) => `${path}#${index}`);
}

function wordsOf(type: Type | undefined): readonly string[] {
  if (type?.isUnionType()) return type.getTypes().flatMap(wordsOf);
  return type?.isStringLiteralType() ? [String(type.value)] : [];
}

function* problems(unread: readonly Member[], exempt: ReadonlyMap<string, string>): Iterable<Violation> {
  const needed = new Set<string>();
  for (const { file, owner, name } of unread) {
    const of = owner.name?.text ?? '';
    const excused = [of, `${of}.${name.text}`].find((one) => exempt.has(one));
    if (excused !== undefined) needed.add(excused);
    else {
      const line = lineAt(owner.getSourceFile().text, name.getStart());
      yield { file, line, message: `${of}.${name.text} is read by no program: use it, or take it away` };
    }
  }
  for (const one of exempt.keys()) {
    if (needed.has(one)) continue;
    yield { file: 'tools/check/read-elsewhere.ts', line: 1, message: `${one} needs no exception any more` };
  }
}
