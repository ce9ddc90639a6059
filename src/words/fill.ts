// What stands in a text goes where its name does: `at most {max} characters`.
export const filled = (template: string, wordOf: (name: string) => string): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => wordOf(name));
