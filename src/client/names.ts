// Your own names, and the IDs that requests of the contract want in their place.
import type { AnswerOf, Method, RequestOf } from './contract.js';
import { VoxgateError } from './errors.js';
import type { CallOptions } from './http.js';

/** A tenant as requests of the contract name it. */
export interface TenantContext {
  gkScopeId: { value: string };
}

/** An ID as requests of the contract want it. */
export interface UniqueId {
  value: string;
}

/** Whose print: a person by your own ID, or a fraudster; `tag` tells several prints of one owner apart. */
export type PrintOwner = ({ personId: string } | { fraudsterId: string }) & { tag?: string | undefined };

/** Sends an operation of the contract. */
export type Send = <M extends Method>(
  method: M,
  request: RequestOf<M>,
  options?: CallOptions,
) => Promise<AnswerOf<M>>;

const TAG = 'main';

/** Looks up IDs by your own names; rejects with `NOT_FOUND` where there is nobody of that name. */
export class Names {
  readonly #send: Send;
  readonly #context: TenantContext;

  constructor(send: Send, context: TenantContext) {
    this.#send = send;
    this.#context = context;
  }

  async person(personId: string, options: CallOptions = {}): Promise<UniqueId> {
    const found = await this.#send('GetGkPersonId', { context: this.#context, personId }, options);
    return { value: needed(found.gkPersonId?.value, 'an ID') };
  }

  async fraudster(fraudsterId: string, options: CallOptions = {}): Promise<UniqueId> {
    const found = await this.#send('GetGkFraudsterId', { context: this.#context, fraudsterId }, options);
    return { value: needed(found.gkFraudsterId?.value, 'an ID') };
  }

  async group(groupId: string, options: CallOptions = {}): Promise<UniqueId> {
    const found = await this.#send('GetGkGroupId', { context: this.#context, groupId }, options);
    return { value: needed(found.gkGroupId?.value, 'an ID') };
  }

  async watchlist(watchlistId: string, options: CallOptions = {}): Promise<UniqueId> {
    const found = await this.#send('GetGkWatchlistId', { context: this.#context, watchlistId }, options);
    return { value: needed(found.gkWatchlistId?.value, 'an ID') };
  }

  /** The print of an owner. */
  async print(owner: PrintOwner, options: CallOptions = {}): Promise<UniqueId> {
    const found = await this.findPrint(owner, options);
    if (found) return found;
    const name = 'personId' in owner ? owner.personId : owner.fraudsterId;
    throw new VoxgateError(`${name} has no voiceprint with the tag ${tagOf(owner)}`, { code: 'NOT_FOUND' });
  }

  /** The same, or undefined where the owner has none under this tag. */
  async findPrint(owner: PrintOwner, options: CallOptions = {}): Promise<UniqueId | undefined> {
    try {
      const request = { context: this.#context, owner: { ...owner, tag: tagOf(owner) } };
      const { gkVoiceprintProfileId } = await this.#send('GetGkVoiceprintProfileId', request, options);
      return gkVoiceprintProfileId?.value ? { value: gkVoiceprintProfileId.value } : undefined;
    } catch (thrown) {
      if (isNotFound(thrown)) return undefined;
      throw thrown;
    }
  }
}

export const tagOf = ({ tag }: PrintOwner): string => tag ?? TAG;

export const isNotFound = (thrown: unknown): boolean =>
  thrown instanceof VoxgateError && thrown.code === 'NOT_FOUND';

/** The contract lets every member be absent; these never are. */
export function needed(value: string | undefined, what: string): string {
  if (value === undefined || value === '')
    throw new VoxgateError(`the response has no ${what}`, { code: 'BAD_ANSWER' });
  return value;
}
