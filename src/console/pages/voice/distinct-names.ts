// Numbers files of the same name from several folders, to tell them apart.
export function distinctNames(names: readonly string[]): string[] {
  return names.map((name, index) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    const place = names.slice(0, index).filter((other) => other === name).length + 1;
    return `${name} (${String(place)})`;
  });
}
