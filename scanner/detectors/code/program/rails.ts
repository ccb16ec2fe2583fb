import type { ProgramFile } from './modules.ts';

/** Stands for the methods of a controller that are not actions. */
export const hiddenAction = 'private';

/** The owner of what no class contains: a script's methods and what a view calls. */
export const outside = 'main';

const camelized = (name: string) =>
  name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * Returns the controller that renders a view, and the action; null for a partial, which several may render. Null for
 * other files.
 */
export function controllerOf(path: string): { controller: string; action: string | null } | null {
  const [, folders, name] = /(?:^|\/)app\/views\/(.+)\/([^/.]+)\.[^/]*erb$/.exec(path) ?? [];
  if (folders === undefined || name === undefined) return null;
  return {
    controller: `${folders.split('/').map(camelized).join('.')}Controller`,
    action: name.startsWith('_') ? null : name,
  };
}

/** Returns whether every view can call the methods of a file. */
export const isHelper = ({ language, path }: ProgramFile): boolean =>
  language === 'ruby' && /(?:^|\/)app\/helpers\/.+\.rb$/.test(path);

/**
 * Returns other names of what a view or a helper refers to, in the order in which they are tried: methods of the
 * controller, and instance variables that the view's action or a method before it sets.
 */
export function namesInView({ path }: ProgramFile, member: string): string[] {
  const rendered = controllerOf(path);
  if (!rendered) return [];
  const name = `${rendered.controller}.${member}`;
  if (!member.startsWith('@') || rendered.action === null) return [name];
  return [`${name}.${rendered.action}`, `${name}.${hiddenAction}`];
}
