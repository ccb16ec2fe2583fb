import type { Chunks } from '../format.ts';
import { Spool } from '../spool.ts';
import { type JsonEvent, type JsonObject, type JsonPath, objectAt, readJson } from './json.ts';

/** Objects that contain results and their common facts, such as Trivy's targets and Snyk's projects. */
export type Groups = {
  /** Patterns of the groups, e.g. `Results[*]`. */
  at: string[];
  /** The facts that the results share; absent until they are read. */
  members: string[];
  /** The lists of results; a name that ends in `.*` is an object whose members are results if they are objects. */
  lists: string[];
  /** Objects around the groups, and the facts in them before their groups. */
  within?: { at: string[]; members: string[] };
  /** Whether enough of the group has been read to interpret its results; if not, they wait for its end. */
  isKnown(group: JsonObject): boolean;
  /** Patterns of further facts, which are passed only to `watch`. */
  watched?: string[];
  /** Receives every event, for example to check the root. */
  watch(event: JsonEvent): void;
};

/** One result with its list and group, or (`list` is null) the end of a group. */
export type Grouped = { group: JsonObject; list: string | null; value: JsonObject; path: JsonPath };

type Waiting = { list: string; value: JsonObject; path: JsonPath };

/** Streams the results of groups, each with its group, regardless of the order of their members. */
export async function* readGroups(chunks: Chunks, groups: Groups): AsyncGenerator<Grouped> {
  const members = new Map<string, string>();
  const lists = new Map<string, string>();
  for (const at of groups.at) {
    const within = (name: string) => (at === '' ? name : `${at}.${name}`);
    for (const member of groups.members) members.set(within(member), member);
    for (const list of groups.lists) lists.set(list.endsWith('.*') ? within(list) : `${within(list)}[*]`, list);
  }
  const outerNames = new Map<string, string>();
  for (const at of groups.within?.at ?? []) {
    for (const member of groups.within!.members) outerNames.set(`${at}.${member}`, member);
  }
  const watched = groups.watched ?? [];
  const ends = new Set(groups.at);
  const outerEnds = new Set(groups.within?.at);
  await using waiting = new Spool<Waiting>();
  let outer: JsonObject = {};
  let group: JsonObject = {};
  for await (const event of readJson(chunks, [...members.keys(), ...lists.keys(), ...outerNames.keys(), ...watched])) {
    groups.watch(event);
    if (event.kind === 'item' && watched.includes(event.pattern)) continue;
    if (event.kind === 'item' && outerNames.has(event.pattern)) {
      outer[outerNames.get(event.pattern)!] = event.value;
      group = { ...outer };
    } else if (event.kind === 'item') {
      const list = lists.get(event.pattern);
      if (list === undefined) group[members.get(event.pattern)!] = event.value;
      else if (!list.endsWith('.*') || isObject(event.value)) {
        const value = objectAt(event.value, event.path);
        if (groups.isKnown(group)) yield { group, list, value, path: event.path };
        else await waiting.add({ list, value, path: event.path });
      }
    } else if (ends.has(event.pattern) && event.keys !== null) {
      for await (const { list, value, path } of waiting.drain()) yield { group, list, value, path };
      yield { group, list: null, value: {}, path: event.path };
      group = { ...outer };
    } else if (outerEnds.has(event.pattern)) {
      outer = {};
      group = {};
    }
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
