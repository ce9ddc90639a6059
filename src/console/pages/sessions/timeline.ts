// What the server knows of a session, as its page reads it.
import type { AnswerOf } from '../../../client/contract.js';

export type Timeline = AnswerOf<'GetSessionTimeline'>;
