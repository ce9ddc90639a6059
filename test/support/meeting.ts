// Brings pieces of work to the same point at the same time.
/** Resolves for everybody once so many have come. */
export function meetingOf(count: number): () => Promise<void> {
  let open = (): void => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  let come = 0;
  return () => {
    come += 1;
    if (come === count) open();
    return all;
  };
}
