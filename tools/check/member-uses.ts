import {
  type ClassDeclaration,
  type InterfaceDeclaration,
  isBindingElement,
  isClassDeclaration,
  isElementAccessExpression,
  isGetAccessorDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isMethodSignatureDeclaration,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isPropertySignatureDeclaration,
  isSpreadAssignment,
  isStringLiteral,
  isTypeOperatorNode,
  type Node,
  type ObjectLiteralExpression,
  SyntaxKind,
} from 'typescript/unstable/ast';

/** A member of an interface or a class. */
export interface Member {
  readonly file: string;
  readonly owner: InterfaceDeclaration | ClassDeclaration;
  readonly name: Node & { readonly text: string };
}

/** A place where a member of that name is read: `x.name`, `x['name']` or `const { name } = x`. */
export interface Use {
  readonly file: string;
  readonly name: string;
  /** The name, whose symbol the compiler knows; not in `x['name']` and `const { name } = x`. */
  readonly at?: Node;
  /** What has the member. */
  readonly of: Node;
}

/** `x[key]`, where the key is no literal. */
export interface LookUp {
  readonly file: string;
  readonly of: Node;
  readonly key: Node;
}

/** What the files declare and read, as far as it can be seen in the text. */
export class MemberUses {
  readonly members: Member[] = [];
  readonly uses: Use[] = [];
  readonly lookUps: LookUp[] = [];
  /** Object literals that others are spread into, with what is. */
  readonly spreads: { readonly into: ObjectLiteralExpression; readonly of: Node }[] = [];
  /** Operands of `keyof`: each member of such an interface is a row of a table. */
  readonly tables: Node[] = [];
  /** How many types declare a member of that name. */
  readonly declared = new Map<string, number>();

  read(file: string, source: Node): void {
    const visit = (node: Node): void => {
      this.#declares(file, node);
      this.#reads(file, node);
      this.#spreads(node);
      node.forEachChild(visit);
    };
    visit(source);
  }

  #declares(file: string, node: Node): void {
    const member =
      isPropertySignatureDeclaration(node) ||
      isMethodSignatureDeclaration(node) ||
      isMethodDeclaration(node) ||
      isPropertyDeclaration(node) ||
      isGetAccessorDeclaration(node);
    if (!member || !isIdentifier(node.name)) return;
    const { name, parent: owner } = node;
    this.declared.set(name.text, (this.declared.get(name.text) ?? 0) + 1);
    if (isInterfaceDeclaration(owner) || isClassDeclaration(owner)) this.members.push({ file, owner, name });
  }

  #reads(file: string, node: Node): void {
    if (isPropertyAccessExpression(node)) {
      if (isIdentifier(node.name)) this.uses.push({ file, name: node.name.text, at: node.name, of: node.expression });
    } else if (isElementAccessExpression(node)) {
      const { expression: of, argumentExpression: key } = node;
      if (isStringLiteral(key)) this.uses.push({ file, name: key.text, of });
      else this.lookUps.push({ file, of, key });
    } else if (isBindingElement(node) && isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (name !== undefined && isIdentifier(name) && node.dotDotDotToken === undefined) {
        this.uses.push({ file, name: name.text, of: node.parent });
      }
    } else if (isTypeOperatorNode(node) && node.operator === SyntaxKind.KeyOfKeyword) this.tables.push(node.type);
  }

  #spreads(node: Node): void {
    if (!isSpreadAssignment(node) || !isObjectLiteralExpression(node.parent)) return;
    this.spreads.push({ into: node.parent, of: node.expression });
  }
}
