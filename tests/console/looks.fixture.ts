import type { Page } from 'playwright-core';

/**
 * Returns what is wrong with the page at its current size, a line for each fault: something wider than the viewport, cut
 * buttons, labels and rows, a list with room for fewer than 18 rows, text inside of three borders, a second primary button, small targets, and texts that only
 * programs understand.
 */
export const findFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = [];
    const root = document.documentElement;
    const wider = root.scrollWidth - root.clientWidth;
    if (wider > 0) faults.push(`The page is ${wider} px wider than the viewport.`);
    const dialog = document.querySelector('[role="dialog"]');
    const scope: Element = dialog ?? document.body;
    const isShown = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1) return false;
      for (let around: Element | null = element; around; around = around.parentElement)
        if (getComputedStyle(around).clipPath !== 'none') return false;
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 48)}”`;

    // Texts end with an ellipsis where a row is one line high; its link, or its title, has the whole text.
    const mayBeCut = (element: Element) =>
      element.closest('td, [role="gridcell"], [role="option"], li, [title]') !== null;
    for (const element of scope.querySelectorAll(
      'button, label, th, h1, h2, h3, legend, dt, [role="columnheader"], [role="tab"], nav a',
    )) {
      if (!isShown(element) || mayBeCut(element)) continue;
      for (const part of [element, ...element.querySelectorAll('*')]) {
        if (
          part instanceof SVGElement ||
          part.textContent.trim() === '' ||
          part.closest('.visually-hidden') ||
          !isShown(part)
        )
          continue;
        const { overflowX, overflowY } = getComputedStyle(part);
        const cutX = overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1;
        const cutY = overflowY !== 'visible' && part.scrollHeight > part.clientHeight + 1;
        if (part.clientWidth > 0 && (cutX || cutY)) faults.push(`Cut: ${nameOf(element)}`);
      }
    }
    for (const row of scope.querySelectorAll('tr, [role="row"]')) {
      if (!isShown(row)) continue;
      const { bottom } = row.getBoundingClientRect();
      for (const cell of row.querySelectorAll('td > *, [role="gridcell"] > *')) {
        const box = cell.getBoundingClientRect();
        if (isShown(cell) && box.bottom > bottom + 1 && getComputedStyle(cell).position === 'static')
          faults.push(`Below its row: ${nameOf(cell)}`);
      }
    }

    // At 1440 × 900, a list that is the page has room for 18 rows.
    if (!dialog && innerWidth >= 1440 && innerHeight >= 900)
      for (const list of document.querySelectorAll('[data-list], main [role="grid"]')) {
        const row = list.querySelector('tbody tr, [role="row"][aria-selected]');
        if (!row || !isShown(row)) continue;
        const { top, height } = row.getBoundingClientRect();
        const room = Math.floor((innerHeight - top) / height);
        if (room < 18) faults.push(`Room for ${room} rows of ${height} px`);
      }

    // A text that gives way ends with an ellipsis; a mark must fit.
    for (const cell of scope.querySelectorAll('td, td *, [role="gridcell"], [role="gridcell"] *')) {
      if (cell instanceof SVGElement || cell.textContent.trim() === '' || cell.closest('.visually-hidden')) continue;
      if (!isShown(cell)) continue;
      const { overflowX, textOverflow } = getComputedStyle(cell);
      const isCut = overflowX === 'hidden' && textOverflow === 'clip' && cell.scrollWidth > cell.clientWidth + 1;
      if (isCut && cell.clientWidth > 0) faults.push(`Cut in its cell: ${nameOf(cell)}`);
    }

    const isBordered = (element: Element) => {
      const style = getComputedStyle(element);
      return (['Top', 'Right', 'Bottom', 'Left'] as const).every(
        (side) =>
          Number.parseFloat(style[`border${side}Width`]) > 0 &&
          style[`border${side}Style`] !== 'none' &&
          !/rgba\(.*, 0\)|transparent/.test(style[`border${side}Color`]),
      );
    };
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    const program: string[] = [];
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement!;
      const text = texts.currentNode.nodeValue!.trim();
      if (text === '' || element.closest('script, style, noscript') || !isShown(element)) continue;
      let borders = 0;
      for (let around: Element | null = element; around; around = around.parentElement)
        if (isBordered(around)) borders++;
      if (borders > 2) faults.push(`Inside of ${borders} borders: “${text.slice(0, 48)}”`);
      if (element.closest('code, pre, kbd, textarea') || /:\/\//.test(text)) continue;
      if (/\b[a-z]{2,5}_[0-9a-z]{26}\b|\b[a-z]+_[a-z_]+\b|\b(null|undefined|NaN)\b|\[object /.test(text))
        program.push(text.slice(0, 80));
    }
    for (const text of new Set(program)) faults.push(`For programs: “${text}”`);

    // A menu beside a button is a part of it.
    const primary = [...scope.querySelectorAll('button[data-variant="filled"]:not([aria-haspopup])')].filter(isShown);
    if (primary.length > 1) faults.push(`${primary.length} primary buttons: ${primary.map(nameOf).join(', ')}`);

    // A smaller target is allowed where a circle of 24 px around it touches no other target, and within a sentence.
    const targets = [...scope.querySelectorAll('button, a[href], input, select, textarea, summary, [role="option"]')]
      .filter((target) => isShown(target) && !target.closest('[inert]'))
      .map((target) => ({ target, box: (target.closest('label, [data-check]') ?? target).getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > 0);
    // Each chart has its numbers as a table too.
    const isMark = (target: Element) => target instanceof SVGElement;
    const isCovered = ({ target, box }: (typeof targets)[number]) => {
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return hit !== null && !target.contains(hit) && !hit.contains(target);
    };
    const isInline = (target: Element) =>
      getComputedStyle(target).display === 'inline' &&
      target.closest('p, dd, li, td, label, [role="gridcell"]') !== null;
    for (const one of targets) {
      const { target, box } = one;
      if (box.width >= 24 && box.height >= 24) continue;
      if (isInline(target) || isMark(target) || isCovered(one)) continue;
      const x = box.left + box.width / 2;
      const y = box.top + box.height / 2;
      const isNear = (other: DOMRect) => {
        const dx = Math.max(other.left - x, 0, x - other.right);
        const dy = Math.max(other.top - y, 0, y - other.bottom);
        return Math.hypot(dx, dy) < 12;
      };
      const near = targets.find(
        (other) =>
          other.target !== target &&
          !other.target.contains(target) &&
          !target.contains(other.target) &&
          isNear(other.box),
      );
      if (near)
        faults.push(
          `${Math.round(box.width)} × ${Math.round(box.height)} px to hit, beside ${nameOf(near.target)}: ${nameOf(target)}`,
        );
    }
    return [...new Set(faults)];
  });

/** Makes the pages that are loaded from now on add up their layout shifts. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    const shifts = { total: 0 };
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) if (!shift.hadRecentInput) shifts.total += shift.value;
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(globalThis, { shifts });
  });

/** Returns the sum of the layout shifts since the page was loaded. */
export const readShifts = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shifts: { total: number } }).shifts.total);

/** Position and size in pixels; a part that depends on texts is left out. */
type Box = { x?: number; y?: number; width?: number; height?: number };
type Look = { name: string; box: Box; type: string; colours: Record<string, string> };

/** A landmark: its name, a selector, of which the first match counts, and the parts of its box that no text changes. */
type Landmark = [name: string, selector: string, parts: 'box' | 'place' | 'span' | 'height' | 'type'];

const landmarks: Landmark[] = [
  ['navigation', 'nav[aria-label="Main"]', 'box'],
  ['entry', 'nav[aria-label="Main"] a[href]:not([data-status])', 'height'],
  ['entry of this page', 'nav[aria-label="Main"] a[data-status="active"]', 'height'],
  ['bar', 'main header:not(article header)', 'box'],
  ['title', 'h1', 'type'],
  ['tab', 'header nav a:not([aria-current="page"])', 'height'],
  ['tab of this page', 'header nav a[aria-current="page"]', 'height'],
  ['filters', '[aria-label="Filters"]', 'span'],
  ['bar of the list', '[data-list] > div:first-child', 'box'],
  ['headings', 'main [role="grid"] > [role="row"], main thead tr', 'place'],
  ['row', 'main [role="row"][aria-selected], main tbody tr', 'place'],
  ['panel', 'main aside, main [role="complementary"]', 'span'],
  ['section', 'main section', 'span'],
  ['heading', 'main h2', 'type'],
  ['sub-heading', 'main h3', 'type'],
  ['remark', 'main header + * p', 'type'],
  ['dialog', '[role="dialog"]', 'span'],
  ['heading of the dialog', '[role="dialog"] h2', 'type'],
  ['label', 'label', 'type'],
  ['field', 'input:not([type="checkbox"]):not([type="file"])', 'height'],
  ['checkbox', 'input[type="checkbox"]', 'height'],
  ['primary button', 'button[data-variant="filled"]', 'height'],
  ['button', 'button[data-variant="default"]', 'height'],
  ['quiet button', 'button[data-variant="subtle"]:not([aria-label])', 'height'],
  ['icon', 'button[data-variant="subtle"][aria-label]', 'height'],
  ['code', 'main pre', 'span'],
];

/** Reads the landmarks and columns of the page as it is now. */
const readLandmarks = (page: Page): Promise<Look[]> =>
  page.evaluate((list) => {
    const isShown = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || !element.checkVisibility({ visibilityProperty: true })) return false;
      for (let around: Element | null = element; around; around = around.parentElement)
        if (getComputedStyle(around).clipPath !== 'none') return false;
      return true;
    };
    const lookOf = (name: string, element: Element, parts: string): Look => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const family = style.fontFamily.split(',')[0]!.replaceAll('"', '').replace(' Variable', '');
      const border = Number.parseFloat(style.borderTopWidth) || Number.parseFloat(style.borderBottomWidth);
      const radius = Number.parseFloat(style.borderTopLeftRadius);
      const px = (text: string) => Number.parseFloat(text).toString();
      return {
        name,
        box: {
          ...(parts === 'box' || parts === 'place' || parts === 'span' ? { x, width } : {}),
          ...(parts === 'box' ? { y } : {}),
          ...(parts === 'box' || parts === 'place' || parts === 'height' ? { height } : {}),
        },
        type: [
          `${style.fontWeight} ${px(style.fontSize)}/${px(style.lineHeight)} ${family}`,
          ...(radius > 0 ? [`radius ${radius}`] : []),
        ].join(', '),
        colours: {
          text: style.color,
          ground: style.backgroundColor,
          ...(border > 0 && {
            border: Number.parseFloat(style.borderTopWidth) > 0 ? style.borderTopColor : style.borderBottomColor,
          }),
        },
      };
    };
    const looks: Look[] = [];
    for (const [name, selector, parts] of list) {
      const element = [...document.querySelectorAll(selector)].find(isShown);
      if (element) looks.push(lookOf(name, element, parts));
    }
    const table = [...document.querySelectorAll('main [role="grid"], main table')].find(isShown);
    // Without fixed widths, the texts of a table determine its columns.
    const parts =
      table && table.tagName === 'TABLE' && getComputedStyle(table).tableLayout !== 'fixed' ? 'type' : 'span';
    for (const column of table?.querySelectorAll('[role="columnheader"], thead th') ?? []) {
      const name = column.textContent.replace(/ [↑↓]$/, '').trim();
      if (isShown(column)) looks.push(lookOf(`column ${name}`, column, parts));
    }
    return looks;
  }, landmarks);

/** Returns the colour of each token of theme.css in the scheme that the page has now. */
const readTokens = (page: Page): Promise<[name: string, colour: string][]> =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    const names = new Set<string>();
    for (const sheet of document.styleSheets)
      for (const rule of sheet.cssRules)
        if (rule instanceof CSSStyleRule && rule.selectorText === ':root')
          for (const name of rule.style) if (/^--(?!mantine)/.test(name)) names.add(name);
    const colours: [string, string][] = [];
    for (const name of names) {
      probe.style.color = '';
      probe.style.color = `var(${name})`;
      if (CSS.supports('color', getComputedStyle(probe).getPropertyValue(name)))
        colours.push([name.slice(2), getComputedStyle(probe).color]);
    }
    probe.remove();
    return colours;
  });

export async function setScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForFunction((name) => document.documentElement.dataset.mantineColorScheme === name, scheme, {
    polling: 50,
  });
}

const describeBox = ({ name, box }: Look) =>
  `${name}: ${Object.entries(box)
    .map(([part, pixels]) => `${part} ${Math.round(pixels)}`)
    .join(' ')}`;

/** Describes the boxes of the page at its current size. */
export const readBoxes = async (page: Page): Promise<string[]> =>
  (await readLandmarks(page)).filter(({ box }) => Object.keys(box).length > 0).map(describeBox);

/** Describes the looks of the page at its current size, a line for each landmark, with colours by their tokens. */
export async function readLooks(page: Page): Promise<string[]> {
  await setScheme(page, 'dark');
  const [darkTokens, dark] = [await readTokens(page), await readLandmarks(page)];
  await setScheme(page, 'light');
  const [lightTokens, light] = [await readTokens(page), await readLandmarks(page)];
  const nameOf = (inLight: string, inDark: string | undefined) => {
    if (/, 0\)$/.test(inLight) && inDark === inLight) return 'nothing';
    const token = lightTokens.find(
      ([name, colour]) => colour === inLight && darkTokens.find(([other]) => other === name)?.[1] === inDark,
    );
    return token?.[0] ?? `${inLight} and ${inDark}`;
  };
  return light.map((look) => {
    const { name, type, colours } = look;
    const inDark = dark.find((other) => other.name === name)?.colours;
    const shown = Object.entries(colours)
      .map(([part, colour]) => [part, nameOf(colour, inDark?.[part])])
      .filter(([, colour]) => colour !== 'nothing')
      .map(([part, colour]) => `${part} ${colour}`);
    return [describeBox(look), type, shown.join(', ')].join('; ').replace(': ;', ':');
  });
}

/** The deviation in pixels that another version of the browser or other fonts may cause. */
const tolerance = 4;

/** Whether two descriptions are equal but for a few pixels. */
function looksAlike(one: string, other: string): boolean {
  const sizes = (text: string) =>
    [...text.matchAll(/\b(?:x|y|width|height) (-?\d+)/g)].map(([, pixels]) => Number(pixels));
  const rest = (text: string) => text.replaceAll(/\b(x|y|width|height) -?\d+/g, '$1');
  const [a, b] = [sizes(one), sizes(other)];
  return rest(one) === rest(other) && a.every((pixels, index) => Math.abs(pixels - b[index]!) <= tolerance);
}

/** Returns the lines that differ, those of the file with `-` and those of the page with `+`. */
export function differencesOf(expected: readonly string[], actual: readonly string[]): string[] {
  const nameOf = (line: string) => line.slice(0, line.indexOf(':'));
  const names = new Set([...expected, ...actual].map(nameOf));
  return [...names].flatMap((name) => {
    const [before, now] = [expected, actual].map((lines) => lines.filter((line) => nameOf(line) === name));
    if (before!.length === now!.length && before!.every((line, index) => looksAlike(line, now![index]!))) return [];
    return [...before!.map((line) => `- ${line}`), ...now!.map((line) => `+ ${line}`)];
  });
}
