import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { eventually, type Installation } from '../harness/installation.ts';

/** The owner of an installation under test. */
const owner = { email: 'owner@example.com', password: 'a long enough secret' };
export const ownerEnvironment = { ASSAY_ADMIN_EMAIL: owner.email, ASSAY_ADMIN_PASSWORD: owner.password };

/**
 * Disabled features of Chromium. With the first two it loads its own page for the address bar into each new window: 416
 * requests and more processor time than the console takes. The others are playwright's default list, which this list
 * replaces.
 */
const leftOut = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${leftOut.join()}`,
];

function chromiumPath(): string {
  for (const folder of ['/usr/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(delimiter)]) {
    const path = join(folder, 'chromium');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  throw new Error('Chromium is not installed. "node scripts/prepare.mjs --test" installs it on Debian.');
}

export const openBrowser = (further: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: [...flags, ...further] });

/**
 * The polling interval in milliseconds. By default, playwright polls on each rendered frame, and an idle page may
 * render none.
 */
const polling = 100;

/** TanStack Router stores itself here for its devtools. */
type RouterOfPage = { __TSR_ROUTER__?: { state: { status: string; resolvedLocation?: { publicHref: string } } } };

/** A person with a separate browser context, which records its errors. */
export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors, violations of the policy, requests to other origins, failures of the server. */
  readonly problems: string[] = [];
  readonly #origin: string;

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.#origin = origin;
    // A busy machine takes ten times as long.
    page.setDefaultTimeout(90_000);
    page.on('pageerror', (error) => this.problems.push(`error: ${error}`));
    page.on('console', (message) => {
      // Chromium logs a line for each refused request: tests check expected refusals themselves.
      const text = message.text();
      if (message.type() === 'error' && !text.startsWith('Failed to load resource')) this.problems.push(text);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !/^(blob|data):/.test(url)) this.problems.push(`request to ${url}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.problems.push(`${response.status()} ${response.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  static async arrive(browser: Browser, { origin }: Pick<Installation, 'origin'>): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    const visitor = new Visitor(context, page, origin);
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    return visitor;
  }

  /**
   * Prepares pages that are loaded from now on. The returned function then ends their event streams, without the pages'
   * knowledge, and waits until they have read what earlier events announced.
   */
  async catchEvents(): Promise<() => Promise<void>> {
    const { page } = this;
    await page.addInitScript(() => {
      const opened: EventSource[] = [];
      globalThis.EventSource = class extends EventSource {
        constructor(url: string | URL, init?: EventSourceInit) {
          super(url, init);
          opened.push(this);
        }
      };
      Object.assign(globalThis, { openedEventSources: opened });
    });
    const running = new Set<Request>();
    page.on('request', (request) => void running.add(request));
    page.on('requestfinished', (request) => void running.delete(request));
    page.on('requestfailed', (request) => void running.delete(request));
    return async () => {
      await page.evaluate(() => {
        const { openedEventSources } = globalThis as unknown as { openedEventSources: EventSource[] };
        for (const source of openedEventSources) source.close();
        // The page delays reads by at most two seconds, and its timers fire in order.
        return new Promise((resolve) => setTimeout(resolve, 2_100));
      });
      await eventually(async () => ![...running].some((request) => request.resourceType() === 'fetch'), 90_000);
    };
  }

  open(path: string): Promise<unknown> {
    return this.page.goto(this.#origin + path);
  }

  /** Goes to another page of the console without loading it again, like the back button, in a third of the time. */
  async follow(path: string): Promise<void> {
    // A router that is still starting would miss the event.
    await this.#arrived();
    await this.page.evaluate((address) => {
      history.pushState({}, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await this.#arrived(path);
  }

  /** Waits until the router shows any page, or the one with this path. */
  async #arrived(path?: string): Promise<void> {
    await this.page.waitForFunction(
      (address) => {
        const state = (globalThis as unknown as RouterOfPage).__TSR_ROUTER__?.state;
        const shown = state?.status === 'idle' && state.resolvedLocation?.publicHref;
        return address === undefined ? Boolean(shown) : shown === address;
      },
      path,
      { polling },
    );
  }

  async signIn(account = owner, path = '/findings'): Promise<void> {
    await this.#enter(account, path);
    await this.page.getByRole('navigation', { name: 'Main' }).waitFor();
  }

  /** Signs in with a generated password and replaces it. */
  async signInFirst(account: typeof owner, password: string): Promise<void> {
    await this.#enter(account, '/findings');
    await this.page.getByLabel('Current password').fill(account.password);
    await this.page.getByLabel('New password').fill(password);
    await this.page.getByRole('button', { name: 'Set the password' }).click();
    await this.page.getByRole('navigation', { name: 'Main' }).waitFor();
    await this.open('/findings');
  }

  async #enter({ email, password }: typeof owner, path: string): Promise<void> {
    // Without a session the page goes to the sign-in, often before it has loaded.
    await this.page.goto(this.#origin + path, { waitUntil: 'commit' });
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Presses keys in succession. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Waits until the page has its heading and all its data. */
  async settled(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.page.waitForFunction(
      () => ![...document.querySelectorAll('[role="status"]')].some(({ textContent }) => /Loading/.test(textContent)),
      null,
      { polling },
    );
  }

  /**
   * Returns axe's findings on the page, or within the element that matches a selector, in both colour schemes. For a
   * dialog over a list, the selector saves nine tenths of the processor time.
   */
  async findBarriers(within?: string): Promise<string[]> {
    const found: string[] = [];
    await this.page.evaluate(`if (!globalThis.axe) {${axe}}; undefined`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.#rested(colorScheme);
      const violations = await this.page.evaluate<Array<{ id: string; nodes: Array<{ target: string[] }> }>>(
        `axe.run(${within ? JSON.stringify(within) : 'document'}, ${JSON.stringify({
          resultTypes: ['violations'],
          // Style sheets would be requested again.
          preload: false,
          // Only colours differ in dark mode. (The tag "cat.color" would add rules of WCAG's level AAA.)
          ...(colorScheme === 'dark' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
        })}).then(({ violations }) => violations)`,
      );
      for (const { id, nodes } of violations) {
        found.push(`${colorScheme}: ${id} at ${nodes.map(({ target }) => target).join(', ')}`);
      }
    }
    return found;
  }

  /**
   * Waits until the page has this colour scheme and no transitions run, since axe would measure intermediate colours.
   */
  async #rested(colorScheme: 'light' | 'dark'): Promise<void> {
    // The mark of a running scan moves forever.
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState !== 'finished' && effect?.getTiming().iterations !== Number.POSITIVE_INFINITY,
        )
        .map((animation) => `${animation.playState} ${(animation.effect as KeyframeEffect).target?.outerHTML}`);
    const scheme = () => document.documentElement.dataset.mantineColorScheme;
    await eventually(
      async () => (await this.page.evaluate(scheme)) === colorScheme && (await this.page.evaluate(moving)).length === 0,
      90_000,
    ).catch(async () => {
      const [shown, animations] = [await this.page.evaluate(scheme), await this.page.evaluate(moving)];
      throw new Error(`The page is still ${shown} and not ${colorScheme}, or moves: ${animations.join('\n')}`);
    });
  }

  /** Returns the pixels by which the page is wider than a phone, once it has had time to adapt. */
  async overflowOnPhone(): Promise<number> {
    const before = this.page.viewportSize()!;
    await this.page.setViewportSize({ width: 390, height: 844 });
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    await this.page
      .waitForFunction(() => document.documentElement.scrollWidth === document.documentElement.clientWidth, null, {
        timeout: 10_000,
        polling,
      })
      .catch(() => {});
    const width = await this.page.evaluate(overflow);
    await this.page.setViewportSize(before);
    return width;
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
