import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { constantNames } from './scripts/constant-names.mjs';

const own = ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'];

/** The dialect of docs/HACKING.md: how things are named. */
const naming = [
  // What another system names keeps its name: wire members, columns, headers.
  { selector: ['objectLiteralProperty', 'typeProperty', 'objectLiteralMethod', 'typeMethod'], format: null },
  { selector: 'import', format: null },
  { selector: 'default', format: ['camelCase'], leadingUnderscore: 'allow' },
  { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
  // By what they are: voxgate/constant-names.
  { selector: 'variable', modifiers: ['const', 'global'], format: null },
  { selector: ['typeLike', 'enumMember'], format: ['PascalCase'] },
];
/** In the console a function may be a component. */
const namingOfComponents = [
  ...naming,
  {
    selector: ['function', 'variable', 'parameter'],
    format: ['camelCase', 'PascalCase'],
    leadingUnderscore: 'allow',
  },
];

const privateMembers = {
  selector: ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
  message: 'Private members are #private.',
};
/** Names of points in time that keep their unit to themselves; columns keep the names they have. */
const namesWithoutUnit = (names) =>
  ['TSPropertySignature[key.name', 'PropertyDefinition[key.name', 'Identifier[name'].map((named) => ({
    selector: `${named}=/${names}/][typeAnnotation.typeAnnotation.type="TSNumberKeyword"]`,
    message: 'Points in time carry their unit: createdAtMs, fromMs.',
  }));
const timesWithoutUnit = namesWithoutUnit(
  '(^(time|timestamp|since|until|expires)|(At|Time|Timestamp|Since|Until|Deadline))$',
);
/** In the rules of the services these are times; elsewhere they may be places in a buffer. */
const boundsWithoutUnit = namesWithoutUnit('^(at|from|to|before|createdFrom|createdTo)$');

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'src/gen/**',
      'node_modules/**',
      'scratch/**',
      'var/**',
      'training/**',
      'models/**',
      '.device-data*/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: own,
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: own,
    plugins: { voxgate: { rules: { 'constant-names': constantNames } } },
    rules: {
      '@typescript-eslint/naming-convention': ['error', ...naming],
      'voxgate/constant-names': 'error',
      '@typescript-eslint/max-params': ['error', { max: 5 }],
      '@typescript-eslint/parameter-properties': 'error',
      'no-restricted-syntax': ['error', privateMembers],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/voice/**', 'src/storage/schema/**'],
    rules: { 'no-restricted-syntax': ['error', privateMembers, ...timesWithoutUnit] },
  },
  {
    files: ['src/{auth,biometrics,engagement-api,events,tenants}/**/*.ts', 'src/**/ports.ts'],
    rules: {
      'no-restricted-syntax': ['error', privateMembers, ...timesWithoutUnit, ...boundsWithoutUnit],
    },
  },
  {
    files: ['src/console/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/naming-convention': ['error', ...namingOfComponents],
      'voxgate/constant-names': ['error', 'components'],
    },
  },
  // Everything impure enters through configuration; see docs/ARCHITECTURE.md.
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config.ts', 'src/main.ts', 'src/cli/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment only in src/config.ts.' },
      ],
    },
  },
  {
    files: ['src/console/**/*.{ts,tsx}', 'bench/**/*.ts', 'examples/**/*.ts', 'scripts/**'],
    rules: { 'no-console': 'off' },
  },
);
