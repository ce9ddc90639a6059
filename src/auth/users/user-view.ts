// What leaves this domain about a user: everything but the password hash.
import type { User, UserView } from '../model.js';

export function viewUser(user: User): UserView {
  const { passwordHash, ...rest } = user;
  return { ...rest, hasPassword: passwordHash !== undefined };
}
