// Lists that come in pages, as one sequence.
import type { AnswerOf, Method, RequestOf } from './contract.js';

/** Operations whose answers come in pages. */
export type PagedMethod = {
  [M in Method]: 'nextPageToken' extends keyof AnswerOf<M> ? M : never;
}[Method];

/** What a list holds: the members of the one array in its answer. */
export type ItemOf<M extends PagedMethod> = {
  [K in keyof AnswerOf<M>]-?: NonNullable<AnswerOf<M>[K]> extends readonly (infer Item)[] ? Item : never;
}[keyof AnswerOf<M>];

/** Asks for page after page until there is none. */
export async function* eachPage<M extends PagedMethod>(
  ask: (request: RequestOf<M>) => Promise<AnswerOf<M>>,
  request: RequestOf<M>,
): AsyncGenerator<AnswerOf<M>> {
  let pageToken: string | undefined;
  do {
    const page = await ask(pageToken === undefined ? request : { ...request, pageToken });
    yield page;
    pageToken = (page as { nextPageToken?: string }).nextPageToken || undefined;
  } while (pageToken !== undefined);
}

export function itemsOf<M extends PagedMethod>(page: AnswerOf<M>): ItemOf<M>[] {
  const list = Object.values(page).find((member) => Array.isArray(member));
  return (list ?? []) as ItemOf<M>[];
}
