// A comparison with a large gallery takes turns with other work, and answers as if it had not.
import { describe, expect, it } from 'vitest';
import { Gallery } from '../../../src/biometrics/galleries/gallery.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { names, model, print, sample, turnsDuring } from './prints.js';

/** So many that a comparison is done in several steps. */
const LARGE = 70_000;
/** Of a print in memory, beside its voice: 600 bytes with one of 248 numbers. */
const REST_BYTES_MAX = 104;

function filled() {
  const gallery = new Gallery(model);
  const voices = names(50).map((name) => print(name));
  for (let index = 0; index < LARGE; index++) {
    const voice = voices[index % voices.length] as (typeof voices)[number];
    gallery.put({ ...voice, gkVoiceprintProfileId: `print-${index}`, gkOwnerId: `owner-${index}` });
  }
  // Nearest to its own voice, and in the last rows.
  const target = print('target');
  gallery.put(target);
  const heard = { ...sample(), embedding: target.trained?.template.embedding as Float32Array };
  return { gallery, target, heard };
}

describe('a comparison with a large gallery', () => {
  it('lets other work in, and comparisons at the same time do not disturb each other', async () => {
    const { gallery, heard } = filled();
    const view = gallery.at(0, undefined);
    const samples = [heard, sample(), sample()];
    const alone = [];
    const ask = (...each: VoiceSample[]) => view.nearest({ model, samples: each, limit: 10 });
    for (const each of samples) alone.push(...(await ask(each)));
    expect(await turnsDuring(ask(heard))).toBeGreaterThan(0);
    expect((await Promise.all(samples.map((each) => ask(each)))).flat()).toEqual(alone);
    expect(await ask(...samples)).toEqual(alone);
    // Two bytes for each number of a voice, and about a hundred for the rest.
    expect(gallery.memoryBytes() / gallery.size).toBeLessThan(2 * model.dim + REST_BYTES_MAX);
  });

  it('sees a change as a whole or not at all', async () => {
    const { gallery, target, heard } = filled();
    const nearest = async () => {
      const [found] = await gallery.at(0, undefined).nearest({ model, samples: [heard], limit: 1 });
      return found?.[0]?.label.gkVoiceprintProfileId;
    };
    const before = nearest();
    // The target moves into a row that the comparison has passed already.
    const changed = gallery.change(() => gallery.remove('print-0'));
    expect(await before).toBe(target.gkVoiceprintProfileId);
    await changed;
    expect(await nearest()).toBe(target.gkVoiceprintProfileId);

    const last = nearest();
    const removed = gallery.change(() => gallery.removeOwners(new Set([target.gkOwnerId])));
    expect(await last).toBe(target.gkVoiceprintProfileId);
    await removed;
    expect(await nearest()).not.toBe(target.gkVoiceprintProfileId);
    expect(gallery.size).toBe(LARGE - 1);
  });

  it('goes on taking changes after a comparison that failed', async () => {
    const { gallery, heard } = filled();
    const strange = gallery.at(0, undefined).nearest({
      model,
      samples: [{ ...heard, modelRevision: 'm-2' }],
      limit: 1,
    });
    await expect(strange).rejects.toThrow(RangeError);
    await gallery.change(() => gallery.remove('print-1'));
    expect(gallery.at(0, undefined).scorable).toBe(LARGE);
  });
});

describe('the counts of a gallery', () => {
  it('follow tags, locks and owners through every change', () => {
    const gallery = new Gallery(model);
    const locked = { ...print('a').lock, locked: true, autoUnlockAtMs: 1000 };
    const counts = (tag?: string, now = 0) => {
      const { trained, scorable, unusable } = gallery.at(now, tag);
      return [trained, scorable, unusable];
    };
    gallery.put(print('a', { lock: locked, ownerType: 'PERSON' }));
    gallery.put({ ...print('a', { tag: 'phone' }), gkVoiceprintProfileId: 'second of a' });
    gallery.put(print('b', { tag: 'phone' }));
    expect(counts()).toEqual([3, 2, 0]);
    expect(counts(undefined, 1000)).toEqual([3, 3, 0]);
    expect(counts('phone')).toEqual([2, 2, 0]);
    gallery.put(print('a'));
    expect(counts('main')).toEqual([1, 1, 0]);
    const { trained: _, ...untrained } = print('b', { tag: 'phone' });
    gallery.put(untrained);
    expect(counts('phone')).toEqual([1, 1, 1]);
    gallery.removeOwners(new Set(['owner-a']));
    expect(counts()).toEqual([0, 0, 1]);
    gallery.removeOwners(new Set(['owner-b', 'nobody']));
    expect(counts()).toEqual([0, 0, 0]);
  });
});
