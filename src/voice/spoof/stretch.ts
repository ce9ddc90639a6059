// Stretches of a call that are an attack by themselves, whatever was heard before and after them; also where the call has moved to
// another node in the middle of one. Pure.
import {
  spoofScore,
  type DetectorInfo,
  type SpoofConditions,
  type SpoofScore,
  type SpokenEdges,
  type SpokenWindow,
} from './detector.js';

/** So many windows that follow one another. */
const STRETCH_WINDOWS = 3;
/** Of the windows at an edge, what a stretch that goes on behind it may have on this side. */
const EDGE_WINDOWS = STRETCH_WINDOWS - 1;
/**
 * So far above the line of the whole. A long call has many stretches, and each is a chance for a false alarm: of one real caller they
 * lie so much apart that this makes all of them together as rare as one of the whole.
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

/** The windows of which a stretch may be made with another one behind them. */
const lastSpoken = (windows: readonly SpokenWindow[]): SpokenWindow[] => windows.slice(-EDGE_WINDOWS);

/** The edges of two parts as one: a part may be too short to have two of its own. */
export const joinedEdges = (before: SpokenEdges, after: SpokenEdges): SpokenEdges => ({
  first: [...before.first, ...after.first].slice(0, EDGE_WINDOWS),
  last: lastSpoken([...before.last, ...after.last]),
});

/** With one more window. */
export const edgesWith = (edges: SpokenEdges, window: SpokenWindow): SpokenEdges =>
  joinedEdges(edges, { first: [window], last: [window] });
