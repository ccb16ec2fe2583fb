import type { Kind } from './words.ts';

/** A result that was opened, so that it is found again without typing. */
export type Recent = { kind: Kind; label: string; note: string; href: string };

const key = 'assay.recent';
const most = 8;

function isRecent(value: unknown): value is Recent {
  const { label, note, href } = (value ?? {}) as Partial<Recent>;
  return typeof label === 'string' && typeof note === 'string' && typeof href === 'string' && href.startsWith('/');
}

/** Returns what was opened last in this organization, the latest first. It is gone when the person signs out. */
export function readRecent(organization: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')[organization];
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

export function addRecent(organization: string, recent: Recent): void {
  const others = readRecent(organization).filter(({ href }) => href !== recent.href);
  localStorage.setItem(key, JSON.stringify({ [organization]: [recent, ...others].slice(0, most) }));
}

export const forgetRecent = (): void => localStorage.removeItem(key);
