// How long functions are. A function counts with the functions inside it, less the members of tables: a table of small
// handlers is short. A component of the console counts whole, and may be longer.
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

const LINES_MAX = 70;
const COMPONENT_LINES_MAX = 150;

/** `file:line name lines` of every function that is too long. */
export function longFunctions({ file, tree: source }: SourceFile): string[] {
  const isMarkup = file.endsWith('.tsx');
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const name = node.name?.getText(source) ?? '(anonymous)';
      const isComponent = isMarkup && /^[A-Z]/.test(name);
      const first = lineOf(node.getStart(source));
      const all = lineOf(node.end) - first + 1;
      // One that is short as a whole need not be looked into.
      const isLong = isComponent
        ? all > COMPONENT_LINES_MAX
        : all > LINES_MAX && linesWithoutTables(node, lineOf) > LINES_MAX;
      if (isLong) found.push(`${file}:${first + 1} ${name} ${all}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** `run() {}` and `run: () => {}` of an object. */
const isMemberOfTable = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(ts.isPropertyAssignment(node.parent) ? node.parent.parent : node.parent);

function linesWithoutTables(fn: ts.Node, lineOf: (position: number) => number): number {
  const own = new Set<number>();
  for (let line = lineOf(fn.getStart()); line <= lineOf(fn.end); line++) own.add(line);
  const leaveOut = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && isMemberOfTable(node)) {
      const body = node.body as ts.Node;
      for (let line = lineOf(body.getStart()) + 1; line <= lineOf(body.end); line++) own.delete(line);
      return;
    }
    node.forEachChild(leaveOut);
  };
  fn.forEachChild(leaveOut);
  return own.size;
}
