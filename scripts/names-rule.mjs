// A rule for oxlint, of the dialect in docs/HACKING.md: types, classes and members of enumerations are PascalCase, everything else is
// camelCase. Constants of a module have a rule of their own (constant-names.mjs). What another system names keeps its name: members of
// objects and of types, imports, and what is taken out of an object under the name it has there.
import { isCamel, isPascal } from './letter-case.mjs';

const functions = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
  'TSEmptyBodyFunctionExpression',
];
const members = [
  'PropertyDefinition',
  'AccessorProperty',
  'MethodDefinition',
  'TSAbstractPropertyDefinition',
  'TSAbstractAccessorProperty',
  'TSAbstractMethodDefinition',
];
const types = [
  'ClassDeclaration',
  'ClassExpression',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
];

/** The identifiers of a pattern that somebody here has chosen. */
export function namesIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn);
    case 'ObjectPattern':
      return pattern.properties
        .filter(({ shorthand }) => !shorthand)
        .flatMap((property) => namesIn(property.value ?? property));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** A constant of the module. */
export const isOfModule = ({ kind, parent }) =>
  kind === 'const' && (parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration');

export const names = {
  meta: { type: 'suggestion', schema: [{ enum: ['camelCase', 'components'] }] },
  create(context) {
    // A function of the console may be a component.
    const mayBeComponent = context.options[0] === 'components';
    const camel = (id, isFree = false) => {
      if (isCamel(id.name) || (isFree && mayBeComponent && isPascal(id.name.replace(/^_/, '')))) return;
      context.report({ node: id, message: `${id.name} must be camelCase.` });
    };
    const pascal = (id) => {
      const name = id?.name ?? id?.value;
      if (typeof name === 'string' && !isPascal(name))
        context.report({ node: id, message: `${name} must be PascalCase.` });
    };
    const ofFunction = (node) => {
      if (node.id) camel(node.id, true);
      const params = node.params.filter(
        ({ type, name }) => type !== 'TSParameterProperty' && name !== 'this',
      );
      for (const id of params.flatMap(namesIn)) camel(id, true);
    };
    const ofMember = ({ key, computed, kind }) => {
      const isNamed = key.type === 'Identifier' || key.type === 'PrivateIdentifier';
      if (!computed && kind !== 'constructor' && isNamed) camel(key);
    };
    const each = (kinds, visit) => Object.fromEntries(kinds.map((kind) => [kind, visit]));
    return {
      ...each(functions, ofFunction),
      ...each(members, ofMember),
      ...each(types, ({ id }) => id && pascal(id)),
      TSTypeParameter: ({ name }) => pascal(typeof name === 'string' ? undefined : name),
      TSEnumMember: ({ id }) => pascal(id),
      VariableDeclaration(node) {
        if (isOfModule(node)) return;
        for (const id of node.declarations.flatMap((declared) => namesIn(declared.id))) camel(id, true);
      },
    };
  },
};
