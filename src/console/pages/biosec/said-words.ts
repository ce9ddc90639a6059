// Which words of a prompt were said, in their order.

/** For each expected word; as many of them as possible count as said. */
export function saidIn(expected: readonly string[], detected: readonly string[]): boolean[] {
  /** The most words that can be said from the word and the sound on. */
  const most = Array.from({ length: expected.length + 1 }, () =>
    new Array<number>(detected.length + 1).fill(0),
  );
  const at = (word: number, sound: number): number => most[word]?.[sound] ?? 0;
  for (let word = expected.length - 1; word >= 0; word--)
    for (let sound = detected.length - 1; sound >= 0; sound--)
      (most[word] as number[])[sound] =
        expected[word] === detected[sound]
          ? at(word + 1, sound + 1) + 1
          : Math.max(at(word + 1, sound), at(word, sound + 1));
  let sound = 0;
  return expected.map((wanted, word) => {
    while (sound < detected.length && detected[sound] !== wanted && at(word, sound + 1) === at(word, sound))
      sound++;
    const isSaid = detected[sound] === wanted;
    if (isSaid) sound++;
    return isSaid;
  });
}
