// How a name is written.
export const isUpper = (name) => name === name.toUpperCase() && !/^_|_$|__/.test(name);
/** One underscore before it says that it is not used. */
export const isCamel = (name) => /^_?[^A-Z_][^_]*$|^_$/.test(name);
export const isPascal = (name) => /^[^a-z_][^_]*$/.test(name);
