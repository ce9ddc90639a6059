// Field masks arrive in three dialects: protobuf paths, lowerCamel JSON paths, and either of them with a
// leading `details.` (public clients mask the details message from the request down). Handlers see one:
// snake_case below `details`, without duplicates; `*` stands for everything.

function normalizeMaskPath(path: string): string {
  const snake = path.trim().replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (snake === 'details' || snake === '*') return '*';
  return snake.startsWith('details.') ? snake.slice('details.'.length) : snake;
}

export function normalizeMaskPaths(paths: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const path of paths) {
    const normal = normalizeMaskPath(path);
    if (normal !== '') seen.add(normal);
  }
  return [...seen];
}
