import tseslint from 'typescript-eslint';

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
    files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'],
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
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
