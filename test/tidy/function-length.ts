// How long functions are. A function owns its lines less the bodies of the functions inside it: a table of small
// handlers is short. So that nothing long is hidden in functions inside of others, there is a second bound, for which only
// the members of tables do not count. A component of the console counts whole.
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

const LINES_MAX = 70;
const WHOLE_LINES_MAX = 150;

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
        ? all > WHOLE_LINES_MAX
        : all > LINES_MAX &&
          (ownLines(node, lineOf, () => true) > LINES_MAX ||
            ownLines(node, lineOf, isMemberOfTable) > WHOLE_LINES_MAX);
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

function ownLines(
  fn: ts.Node,
  lineOf: (position: number) => number,
  isLeftOut: (inner: ts.Node) => boolean,
): number {
  const own = new Set<number>();
  for (let line = lineOf(fn.getStart()); line <= lineOf(fn.end); line++) own.add(line);
  const leaveOut = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && isLeftOut(node)) {
      const body = node.body as ts.Node;
      for (let line = lineOf(body.getStart()) + 1; line <= lineOf(body.end); line++) own.delete(line);
      return;
    }
    node.forEachChild(leaveOut);
  };
  fn.forEachChild(leaveOut);
  return own.size;
}
