// Whoever is meant by a filter: a user by name or ID, or anything else that acts, by ID.
import type { Actors } from './ports.js';

export const idOfUser = async (actors: Actors, name: string): Promise<string> =>
  (await actors.userNamed(name.trim()))?.userId ?? name.trim();
