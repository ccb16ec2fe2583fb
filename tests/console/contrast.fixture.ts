import type { Page } from 'playwright-core';

/** Measures colours in a page. */
type Contrast = {
  /** The contrast of a colour with the ground of an element, whose own background is left out. */
  of(colour: string, element: Element): number;
  /** The element that a page or its dialog is in. */
  scope: Element;
};

/** Defines `contrast` in the page. */
const define = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    /** Paints colours above each other, and returns the luminance of the result. */
    const luminanceOf = (colours: string[]) => {
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      const linear = [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
    };
    const groundsOf = (element: Element | null): string[] =>
      element ? [...groundsOf(element.parentElement), getComputedStyle(element).backgroundColor] : ['white'];
    const contrast: Contrast = {
      of(colour, element) {
        const grounds = groundsOf(element.parentElement);
        const [a, b] = [luminanceOf(grounds), luminanceOf([...grounds, colour])];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      },
      scope: document.querySelector('[role="dialog"]') ?? document.body,
    };
    Object.assign(globalThis, { contrast });
  });

/**
 * Returns the controls of the page whose edge and fill both have a contrast below 3 : 1 with the ground around them, in
 * the scheme that the page has now. A button has words, which axe measures.
 */
export async function findPaleControls(page: Page): Promise<string[]> {
  await define(page);
  return page.evaluate(() => {
    const { contrast } = globalThis as unknown as { contrast: Contrast };
    const pale: string[] = [];
    for (const input of contrast.scope.querySelectorAll<HTMLElement>('input, select, textarea')) {
      if (input.matches(':disabled, [type="hidden"], [type="file"]')) continue;
      // The search is its dialog, whose edge is that of the field.
      if (input.matches('[role="dialog"] [aria-label="Search everything"]')) continue;
      // The browser draws its own boxes.
      if (input.matches('[type="radio"], [type="checkbox"]') && getComputedStyle(input).appearance === 'auto') continue;
      // A switch is drawn by the element after its hidden checkbox, a field of several values by the one around it.
      const isSwitch = input.getAttribute('role') === 'switch';
      const control = isSwitch
        ? (input.nextElementSibling as HTMLElement)
        : (input.closest<HTMLElement>('[class*="Input-input"]') ?? input);
      const { width, height } = control.getBoundingClientRect();
      if (width < 8 || height < 8 || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      const style = getComputedStyle(control);
      const shadow = /(?:rgb|color|oklch)a?\([^)]*\)/.exec(style.boxShadow)?.[0];
      const colours = [
        ...(Number.parseFloat(style.borderTopWidth) > 0 ? [style.borderTopColor] : []),
        ...(shadow ? [shadow] : []),
        style.backgroundColor,
      ];
      const best = Math.max(...colours.map((colour) => contrast.of(colour, control)));
      const name = input.getAttribute('aria-label') ?? input.closest('label')?.textContent ?? input.outerHTML;
      if (best < 3) pale.push(`${best.toFixed(2)} : 1 of the ${input.tagName.toLowerCase()} ${name.slice(0, 80)}`);
    }
    return pale;
  });
}

/**
 * Moves the focus to each kind of control of the page, and returns those that show no ring: an outline of at least 2 px
 * with a contrast of at least 3 : 1, of the control itself or of the element that draws it.
 */
export async function findControlsWithoutRing(page: Page): Promise<string[]> {
  await define(page);
  // After a key, the focus that a script moves is shown like that of the keyboard.
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const { contrast } = globalThis as unknown as { contrast: Contrast };
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const kinds = new Set<string>();
    const without: string[] = [];
    for (const control of contrast.scope.querySelectorAll<HTMLElement>(selector)) {
      const kind = [control.tagName, control.className, control.getAttribute('role'), control.dataset.variant].join();
      const isShown = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (kinds.has(kind) || !isShown || control.matches(':disabled, [type="file"]')) continue;
      // The search is its dialog, which has no other field.
      if (control.matches('[role="dialog"] [aria-label="Search everything"]')) continue;
      kinds.add(kind);
      control.focus({ preventScroll: true });
      // Inert elements, and those that hand their focus on, are no controls of their own.
      if (document.activeElement !== control) continue;
      const field = control.closest<HTMLElement>('[class*="Input-input"]');
      const current = document.getElementById(control.getAttribute('aria-activedescendant') ?? '');
      const drawn = [control, control.nextElementSibling, control.parentElement, field, current].filter(
        (one) => one !== null,
      );
      const hasRing = drawn.some((one) => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && contrast.of(outlineColor, one) >= 3;
      });
      if (!hasRing) without.push(`${control.tagName.toLowerCase()} ${control.outerHTML.slice(0, 160)}`);
    }
    return without;
  });
}
