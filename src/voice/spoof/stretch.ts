// Stretches of a call that are an attack by themselves, whatever was heard before and after them, even if the
// call moved to another node in the middle of one. Pure.
import {
  spoofScore,
  type DetectorInfo,
  type SpoofConditions,
  type SpoofScore,
  type SpokenEdges,
  type SpokenWindow,
} from './detector.js';

/** The number of consecutive windows in a stretch. */
const STRETCH_WINDOWS = 3;
/** How many windows at an edge may belong to a stretch that continues beyond it. */
const EDGE_WINDOWS = STRETCH_WINDOWS - 1;
/**
 * How far above the threshold of the whole a stretch must be. A long call has many stretches, and each is a
 * chance for a false alarm: they vary within one real caller, and this margin makes an alarm from any of them
 * as rare as one from the whole.
 */
const STRETCH_LLR_ABOVE = 0.75;

type LineConditions = Pick<SpoofConditions, 'bandwidth' | 'snrDb'>;

/** The stretch among these windows that sounds most like an attack, if one does so by itself. */
export function worstStretch(
  detector: DetectorInfo,
  windows: readonly SpokenWindow[],
  { bandwidth, snrDb }: LineConditions,
): SpoofScore | undefined {
  let worst: SpoofScore | undefined;
  for (let end = STRETCH_WINDOWS; end <= windows.length; end++) {
    const stretch = windows.slice(end - STRETCH_WINDOWS, end);
    const netMs = stretch.reduce((sum, window) => sum + window.netMs, 0);
    const found = spoofScore(detector, stretch, { bandwidth, snrDb, netMs });
    const least = Math.max(found.alarmLlr + STRETCH_LLR_ABOVE, worst?.llr ?? -Infinity);
    if (found.reliable && found.llr > least) worst = found;
  }
  return worst;
}

/** The windows that may form a stretch together with later ones. */
const lastSpoken = (windows: readonly SpokenWindow[]): SpokenWindow[] => windows.slice(-EDGE_WINDOWS);

/** Joins the edges of two parts: a part may be too short to have two of its own. */
export const joinedEdges = (before: SpokenEdges, after: SpokenEdges): SpokenEdges => ({
  first: [...before.first, ...after.first].slice(0, EDGE_WINDOWS),
  last: lastSpoken([...before.last, ...after.last]),
});

/** Adds one window. */
export const edgesWith = (edges: SpokenEdges, window: SpokenWindow): SpokenEdges =>
  joinedEdges(edges, { first: [window], last: [window] });
