// Hashing a password as it should be takes a third of a second; what most tests look at is not the cost of scrypt.
import { createPasswordHasher } from '../../src/auth/passwords.js';

export const cheapPasswords = createPasswordHasher({ n: 1024, r: 8, p: 1 });
