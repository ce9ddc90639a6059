// A rule for oxlint, of the dialect in docs/HACKING.md: constants of a module that are text, numbers or booleans are UPPER_SNAKE_CASE, all
// others camelCase. What a constant is can mostly be seen; where it cannot, the native compiler is asked, which is open for the whole run.
import { join, relative } from 'node:path';
import { API } from 'typescript-native/unstable/sync';
import { isCamel, isPascal, isUpper } from './letter-case.mjs';
import { isOfModule, namesIn } from './names-rule.mjs';

const root = join(import.meta.dirname, '..');
const projects = {
  node: join(root, 'tsconfig.check.json'),
  browser: join(root, 'src', 'console', 'tsconfig.json'),
};

const plain = new Set(['TSStringKeyword', 'TSNumberKeyword', 'TSBooleanKeyword']);
const others = new Set([
  'ArrayExpression',
  'ArrowFunctionExpression',
  'ClassExpression',
  'FunctionExpression',
  'NewExpression',
  'ObjectExpression',
]);
const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

/** Whether it is text, a number or a boolean; undefined where that cannot be seen. */
function seen({ id, init }) {
  const type = id.typeAnnotation?.typeAnnotation.type;
  if (type !== undefined) return plain.has(type) ? true : undefined;
  const value = wrappers.has(init?.type) && isConst(init) ? init.expression : init;
  if (value?.type === 'Literal')
    return ['string', 'number', 'boolean'].includes(typeof value.value) || undefined;
  if (value?.type === 'TemplateLiteral') return true;
  return others.has(value?.type) ? false : undefined;
}

const isConst = ({ type, typeAnnotation }) =>
  type === 'TSAsExpression' &&
  typeAnnotation.type === 'TSTypeReference' &&
  typeAnnotation.typeName.name === 'const';

let compiler;

/** Of each place in a file, whether what stands there is text, a number or a boolean. */
function asked(file, places) {
  compiler ??= new API({ cwd: root }).updateSnapshot({ openProjects: Object.values(projects) });
  const isOfBrowser = /^src\/(console|client\/browser)\//.test(relative(root, file));
  const { checker } = compiler.getProject(isOfBrowser ? projects.browser : projects.node);
  return checker.getTypeAtPosition(file, places).map((type) => {
    const present = type && checker.getNonNullableType(type);
    const wide = present && checker.getWidenedType(checker.getBaseTypeOfLiteralType(present) ?? present);
    return wide !== undefined && ['string', 'number', 'boolean'].includes(checker.typeToString(wide));
  });
}

const constantsOf = ({ declarations }) =>
  declarations.flatMap((declared) =>
    namesIn(declared.id).map((id) => ({ id, isPlain: id === declared.id ? seen(declared) : undefined })),
  );

export const constantNames = {
  meta: { type: 'suggestion', schema: [{ enum: ['camelCase', 'components'] }] },
  create(context) {
    const mayBePascal = context.options[0] === 'components';
    const isOther = (name) => isCamel(name) || (mayBePascal && isPascal(name));
    const found = [];
    return {
      VariableDeclaration(node) {
        if (isOfModule(node)) found.push(...constantsOf(node));
      },
      'Program:exit'() {
        const unclear = found.filter(({ isPlain }) => isPlain === undefined);
        const places = unclear.map(({ id }) => id.range[0]);
        const answers = places.length > 0 ? asked(context.filename, places) : [];
        unclear.forEach((each, index) => (each.isPlain = answers[index]));
        for (const { id, isPlain } of found) {
          if (isPlain ? isUpper(id.name) : isOther(id.name)) continue;
          const wanted = isPlain ? 'UPPER_SNAKE_CASE: it is text, a number or a boolean' : 'camelCase';
          context.report({ node: id, message: `The constant ${id.name} must be ${wanted}.` });
        }
      },
    };
  },
};
