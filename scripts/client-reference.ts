// The README of the client library: what was written by hand, then its classes and options with the comments that they have in
// src/client.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const BEGIN =
  '<!-- Made by scripts/generate-texts.ts from the comments in src/client; do not edit below. -->';

/** In the order in which a reader meets them. */
const shown: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['voxgate.ts', ['Voxgate', 'VoxgateOptions', 'KeyedCallOptions', 'SessionOptions', 'LiveOptions']],
  ['session.ts', ['Session', 'EnrollOptions', 'EnrollmentResult', 'CheckOptions', 'CheckResult']],
  ['event-feed.ts', ['EventFeed', 'EventOptions']],
  ['errors.ts', ['VoxgateError', 'FieldProblem']],
  ['browser/microphone.ts', ['Microphone', 'MicrophoneOptions', 'MicrophoneError']],
];

export function clientReadme(): string {
  const readme = readFileSync(new URL('../packages/client/README.md', import.meta.url), 'utf8');
  const [byHand = ''] = readme.split(BEGIN);
  return `${byHand}${BEGIN}\n\n${shown.flatMap(([file, names]) => sectionsOf(file, names)).join('\n')}`;
}

function sectionsOf(file: string, names: readonly string[]): string[] {
  const text = readFileSync(new URL(`../src/client/${file}`, import.meta.url), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  return names.map((name) => {
    const found = tree.statements.find(
      (statement): statement is ts.ClassDeclaration | ts.InterfaceDeclaration =>
        (ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement)) &&
        statement.name?.text === name,
    );
    if (!found) throw new Error(`${file} has no ${name}`);
    const members = [...found.members].flatMap((member) => rowOf(member, tree));
    const about = commentOn(found);
    return [
      `### ${name}`,
      '',
      ...(about === '' ? [] : [about, '']),
      '| Member | Meaning |',
      '|---|---|',
      ...members,
      '',
    ].join('\n');
  });
}

/** Only what is public and explained; what has no comment says it all by its name. */
function rowOf(member: ts.ClassElement | ts.TypeElement, tree: ts.SourceFile): string[] {
  const name = member.name?.getText(tree);
  if (
    name === undefined ||
    name.startsWith('#') ||
    name.startsWith('[') ||
    ts.isConstructorDeclaration(member)
  )
    return [];
  const about = commentOn(member);
  if (about === '' && ts.isClassElement(member)) return [];
  return [`| \`${cell(signatureOf(member, name, tree))}\` | ${cell(about)} |`];
}

function signatureOf(member: ts.ClassElement | ts.TypeElement, name: string, tree: ts.SourceFile): string {
  if (ts.isMethodDeclaration(member)) {
    const parameters = member.parameters.map((parameter) => {
      const given = ts.isIdentifier(parameter.name) ? parameter.name.text : 'options';
      return parameter.initializer || parameter.questionToken ? `${given}?` : given;
    });
    const isStatic = member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    return `${isStatic ? 'static ' : ''}${name}(${parameters.join(', ')})`;
  }
  const type =
    ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)
      ? member.type
          ?.getText(tree)
          .replace(/\s+/g, ' ')
          .replace(/ \| undefined$/, '')
      : undefined;
  return type === undefined ? name : `${name}: ${type}`;
}

function commentOn(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
