// What tests draw at random, the same for the same seed.
export interface Dice {
  isSo(chance: number): boolean;
  oneOf<T>(of: readonly T[]): T;
}

export function dice(seed: number): Dice {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    isSo: (chance) => next() < chance,
    oneOf: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  };
}
