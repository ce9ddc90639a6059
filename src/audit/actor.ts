// Whoever is meant by a filter: a user or a program by ID, or by the name that lists show.
import type { Actors } from './ports.js';

/** Clients are shown with their application, as `main (Hotline)`. */
const ofApplication = /\(([^()]+)\)$/;

export async function idOfActor(actors: Actors, name: string): Promise<string> {
  const sought = name.trim();
  const user = await actors.userNamed(sought);
  if (user) return user.userId;
  const part = ofApplication.exec(sought)?.[1] ?? sought;
  const names = await actors.namesOf(await actors.called(part));
  const isMeant = (shown: string): boolean => shown.toLowerCase() === sought.toLowerCase();
  return [...names].find(([, shown]) => isMeant(shown))?.[0] ?? sought;
}
