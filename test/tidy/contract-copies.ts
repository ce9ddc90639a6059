// The browser app takes paths and types from the generated contract. Here is what it wrote by hand instead.
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/** Fewer members say nothing: `name` and `description` are everywhere. */
const MEMBERS_MIN = 3;

/** So much of a type may come from one message before it is a copy of it with something beside. */
const SHARE_MAX = 0.8;

/** Where a call is followed while it runs: a route of its own, of which the contract's operations know nothing. */
const FOLLOWED_CALL = '/v1/live/';

/** `file:line text` of every path of the API that is written out, or put together of parts. */
export function literalPaths({ file, tree }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && /\/v\d+\b/.test(node.text) && node.text !== FOLLOWED_CALL)
      found.push(`${file}:${tree.getLineAndCharacterOfPosition(node.pos).line + 1} ${node.text}`);
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

/** `file Name is Message` of every type of which most members are members of one message. */
export function contractCopies(sources: readonly SourceFile[], generated: readonly SourceFile[]): string[] {
  const messages = generated.flatMap(objectTypes).filter(({ name }) => name.endsWith('Json'));
  return sources.flatMap((source) =>
    objectTypes(source).flatMap(({ name, members }) => {
      if (members.length < MEMBERS_MIN) return [];
      const message = messages.find((one) => {
        const shared = members.filter((member) => one.members.includes(member)).length;
        return shared >= MEMBERS_MIN && shared >= SHARE_MAX * members.length;
      });
      return message ? [`${source.file} ${name} is ${message.name}`] : [];
    }),
  );
}

interface ObjectType {
  name: string;
  members: string[];
}

function objectTypes({ tree: source }: SourceFile): ObjectType[] {
  return source.statements.flatMap((statement) => {
    const body = ts.isInterfaceDeclaration(statement)
      ? statement
      : ts.isTypeAliasDeclaration(statement) && ts.isTypeLiteralNode(statement.type)
        ? statement.type
        : undefined;
    if (!body || !('name' in statement)) return [];
    const members = body.members.flatMap((member) =>
      ts.isPropertySignature(member) ? [member.name.getText(source)] : [],
    );
    return members.length === body.members.length
      ? [{ name: (statement.name as ts.Identifier).text, members }]
      : [];
  });
}
