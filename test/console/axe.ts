// What axe finds on a page of the console, on as little of it as tells the whole.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';

/** Minor to axe, but it leaves people with a screen reader guessing where they are. */
const alsoHeld: readonly string[] = ['empty-table-header'];

/** Without the other rules whose findings are minor: nobody reads them, and they take their time on every page. */
const AXE_SOURCE = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};
  axe.configure({
    rules: axe._audit.rules
      .filter(({ id, impact }) => impact === 'minor' && !${JSON.stringify(alsoHeld)}.includes(id))
      .map(({ id }) => ({ id, enabled: false })),
  });`;

/** Looks of text whose contrast was measured and is enough, by browser: the same in every page, theme and size. */
const legible = new WeakMap<Browser, Set<string>>();

/**
 * Measuring contrast takes axe most of its time, and most text on a page looks like other text: the same color, size and weight on
 * the same background. Each look is measured until it has passed once. Text whose background may not be that of the elements around it
 * (positioned, faded, on a picture) is measured each time.
 */
const MEASURE_LOOKS_ONCE = `(known) => {
  const passed = new Set(known);
  let fades, grounds, added;
  const isFaded = (each) => {
    if (each === null) return false;
    if (!fades.has(each)) {
      const { opacity, filter } = getComputedStyle(each);
      fades.set(each, opacity !== '1' || filter !== 'none' || isFaded(each.parentElement));
    }
    return fades.get(each);
  };
  // The colors behind what an element holds, down to the first that lets nothing through; undefined where that cannot be told.
  const groundOf = (each) => {
    if (each === null || isFaded(each)) return undefined;
    if (!grounds.has(each)) {
      const { backgroundColor: color, backgroundImage, position, transform } = getComputedStyle(each);
      const isClear = color === 'rgba(0, 0, 0, 0)';
      const isOpaque = !color.startsWith('rgba') && !color.includes('/');
      const isMoved = /absolute|fixed|sticky/.test(position) || transform !== 'none';
      const behind = isOpaque || isMoved ? undefined : groundOf(each.parentElement);
      grounds.set(each, backgroundImage !== 'none' ? undefined : isOpaque ? color : behind && (isClear ? behind : color + ' ' + behind));
    }
    return grounds.get(each);
  };
  const lookOf = (node) => {
    const ground = groundOf(node);
    const { webkitTextFillColor, webkitTextStrokeWidth, fontSize, fontWeight, textShadow } = getComputedStyle(node);
    if (ground === undefined || webkitTextStrokeWidth !== '0px') return undefined;
    return [webkitTextFillColor, fontSize, fontWeight, textShadow, 'on', ground].join(' ');
  };
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast');
  const matches = rule.matches;
  rule.matches = function (node, ...more) {
    // As axe itself: only elements that have text of their own, and fields. It asks this last, after much work.
    const hasText = [...node.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (!hasText && !/^(input|select|textarea)$/.test(node.localName)) return false;
    return !passed.has(lookOf(node)) && matches.call(this, node, ...more);
  };
  const check = axe._audit.checks['color-contrast'];
  const measure = check.evaluate;
  check.evaluate = function (node, ...more) {
    const look = lookOf(node);
    if (passed.has(look)) return true;
    let measured;
    const result = measure.call({ ...this, data: (data) => this.data((measured = data)) }, node, ...more);
    if (result === true && look !== undefined && measured?.fgColor && measured.bgColor) {
      passed.add(look);
      added.push(look);
    }
    return result;
  };
  window.findFaults = async (context, options) => {
    [fades, grounds, added] = [new Map(), new Map(), []];
    const { violations } = await axe.run(context, options);
    return { violations, added };
  };
}`;

/** What a test has brought about: the dialog that is open, or the page without the frame, which every page has alike. */
const OWN_PART = `document.querySelector('dialog[open]') ? 'dialog[open]' : document.querySelector('#main') ? '#main' : 'html'`;

/**
 * Marks rows that are made like one before them in the same list: of the same elements with the same attributes, filled or
 * empty in the same places. What axe finds in the first of them it would find in all, and fifty rows take most of its time.
 */
const MARK_ROWS_ALIKE = `(() => {
  const lists = new Map();
  const words = ['id', 'for', 'href', 'title', 'datetime', 'value', 'aria-label', 'aria-labelledby', 'aria-describedby'];
  const partOf = (each) => [each.tagName, each.textContent.trim() === '',
    ...[...each.attributes].filter(({ name }) => name !== 'data-like-another')
      .map(({ name, value }) => words.includes(name) ? name + (value === '') : name + value)].join();
  for (const row of document.querySelectorAll('tbody > tr, li')) {
    const seen = lists.get(row.parentElement) ?? new Set();
    lists.set(row.parentElement, seen);
    const made = [row, ...row.querySelectorAll('*')].map(partOf).join(' ');
    row.toggleAttribute('data-like-another', seen.has(made));
    seen.add(made);
  }
})()`;

/** What axe finds in the look of a page and not in what it consists of. */
export const rulesOfLook = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
];

/** A fade that is under way has colors of its own. */
const FADES_OVER =
  'Promise.allSettled(document.getAnimations().filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity).map((animation) => animation.finished))';

interface Found {
  violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
  /** Looks that were measured and passed. */
  added: string[];
}

/** Findings of axe, except for minor ones, one line each, on what is new on the page as it is now or on the part named. */
export async function accessibilityFaults(
  page: Page,
  part?: string,
  rules?: readonly string[],
): Promise<string[]> {
  const browser = page.context().browser();
  const known = (browser && legible.get(browser)) ?? new Set<string>();
  if (browser) legible.set(browser, known);
  if (!(await page.evaluate<boolean>(`${FADES_OVER}.then(() => 'findFaults' in window)`)))
    await page.evaluate(`${AXE_SOURCE}; (${MEASURE_LOOKS_ONCE})(${JSON.stringify([...known])})`);
  const where = part === undefined ? OWN_PART : JSON.stringify(part);
  const options = {
    resultTypes: ['violations'],
    preload: false,
    iframes: false,
    ...(rules && { runOnly: rules }),
  };
  const { violations, added } = await page.evaluate<Found>(`(() => {
    ${MARK_ROWS_ALIKE};
    return findFaults({ include: [${where}], exclude: ['[data-like-another]'] }, ${JSON.stringify(options)});
  })()`);
  for (const look of added) known.add(look);
  return violations
    .filter(({ id, impact }) => impact !== 'minor' || alsoHeld.includes(id))
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary.replaceAll('\n', ' ')}`,
      ),
    );
}
